import { getPageMap } from 'nextra/page-map';
import { Layout, Navbar } from 'nextra-theme-docs';
import 'nextra-theme-docs/style.css';

export default async function RootLayout({ children }) {
  return (
    <html lang="en">
      <body>
        <Layout navbar={<Navbar logo={<b>Ledger</b>} />} pageMap={await getPageMap()}>
          {children}
        </Layout>
      </body>
    </html>
  );
}
