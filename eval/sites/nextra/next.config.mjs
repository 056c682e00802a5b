import nextra from 'nextra';

const withNextra = nextra({ defaultShowCopyCode: true });

export default withNextra({
  reactStrictMode: true,
  async redirects() {
    return [
      { source: '/start', destination: '/guides/quickstart', permanent: true },
      { source: '/guides/bills', destination: '/guides/invoices', permanent: true },
    ];
  },
});
