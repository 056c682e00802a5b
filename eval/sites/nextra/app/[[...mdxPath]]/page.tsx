import { generateStaticParamsFor, importPage } from 'nextra/pages';
import { useMDXComponents } from '../../mdx-components';

export const generateStaticParams = generateStaticParamsFor('mdxPath');

export default async function Page(props) {
  const { mdxPath } = await props.params;
  const { default: Content, toc, metadata } = await importPage(mdxPath);
  const { wrapper: Wrapper } = useMDXComponents();
  return (
    <Wrapper toc={toc} metadata={metadata}>
      <Content {...props} params={{ mdxPath }} />
    </Wrapper>
  );
}
