import { type Html, html } from '../pages/html.ts';

/** What is left to do once the App is registered. Public: it holds nothing but the App's own address. */
export const nextSteps = ({ installUrl }: { installUrl: string }): Html => html`
<h2>What to do next</h2>
<ol>
<li><p>Install the App on the repository that holds your documentation.</p>
<p><a class="button" href="${installUrl}">Install it on GitHub</a></p></li>
<li><p>Make an API key for that repository, on the machine that Pagewright runs on. It prints the project’s id, too.</p>
<pre>npm run -s keys -- create OWNER/REPO --name ci</pre></li>
<li><p>Send the first instruction. A pull request comes out.</p>
<pre>curl -H "Authorization: Bearer KEY" -H "Content-Type: application/json" \\
  -d '{"prompt":"Fix the typos in the README"}' \\
  PAGEWRIGHT/v2/agent/PROJECT/job</pre></li>
</ol>`;
