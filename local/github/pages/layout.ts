import { type Html, html } from './html.ts';

const css = `
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1f2328;background:#fff}
header{background:#1f2328;color:#fff;padding:.75rem 1.5rem}header a{color:#fff;text-decoration:none;font-weight:600}
header span{color:#9aa4ae;margin-left:.5rem}
main{max-width:60rem;margin:1.5rem auto;padding:0 1.5rem}
h1{font-size:1.6rem;font-weight:500;margin:.2rem 0 .5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
a{color:#0969da;text-decoration:none}a:hover{text-decoration:underline}
code,pre,.file table{font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace}code{background:#eff1f3;border-radius:4px;padding:.1em .35em}
pre{background:#f6f8fa;border-radius:6px;padding:.8rem;overflow:auto}pre code{background:none;padding:0}
.muted{color:#59636e}
.box{border:1px solid #d1d9e0;border-radius:6px;margin:.8rem 0;overflow:hidden}
.box>.head{background:#f6f8fa;border-bottom:1px solid #d1d9e0;padding:.5rem .9rem}.box>.text{padding:.2rem .9rem}
.text h2:first-child{margin-top:.6rem}
.thread>pre{margin:0;border-radius:0}.thread>.text{padding:.2rem .9rem .6rem}
input{font:inherit;padding:.3rem .6rem;border:1px solid #d1d9e0;border-radius:6px}
.box>.row{padding:.6rem .9rem;border-top:1px solid #d1d9e0}.box>.row:first-child{border-top:0}
.badge{display:inline-block;color:#fff;border-radius:2em;padding:.15rem .8rem;font-weight:500;font-size:.9rem}
.open{background:#1a7f37}.closed{background:#cf222e}.merged{background:#8250df}.draft{background:#59636e}
.label{border:1px solid #d1d9e0;border-radius:2em;padding:0 .6rem;font-size:.8rem;margin-left:.4rem}
.file table{border-collapse:collapse;width:100%}.file td{padding:0 .9rem;white-space:pre-wrap;overflow-wrap:anywhere}
.add{background:#dafbe1}.del{background:#ffebe9}.hunk{background:#ddf4ff;color:#59636e}
form{margin:.8rem 0}textarea{width:100%;min-height:6rem;font:inherit;padding:.6rem;border:1px solid #d1d9e0;border-radius:6px}
button,select{font:inherit;padding:.3rem .9rem;border:1px solid #d1d9e0;border-radius:6px;background:#f6f8fa;cursor:pointer}
button.primary{background:#1f883d;border-color:#1a7f37;color:#fff}
.notice{background:#fff8c5;border:1px solid #d4a72c;border-radius:6px;padding:.6rem .9rem}
`;

/** A whole page, with its styles inside. */
export const layout = ({ title, body }: { title: string; body: Html }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: css }}</style>
</head>
<body>
<header><a href="/">Local GitHub</a><span>a stand-in for github.com</span></header>
<main>${body}</main>
</body>
</html>
`.html;
