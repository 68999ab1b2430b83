const STYLE = `
  :root { color-scheme: light dark; --paper: #faf9f6; --surface: #fff; --ink: #1d1c1a; --second: #5d5a54; --line: #e2ded5; --accent: #1d4f91; --on-accent: #fff; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #151517; --surface: #1c1c1f; --ink: #edebe6; --second: #aaa69d; --line: #2d2d31; --accent: #7fb0f0; --on-accent: #10151c; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 12vh 16px 48px; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  main { max-width: 420px; margin: 0 auto; }
  h1 { margin: 0 0 4px; font-size: 20px; font-weight: 600; }
  p { margin: 0 0 24px; color: var(--second); }
  dl { display: grid; grid-template-columns: 1fr auto; gap: 8px 16px; margin: 0 0 24px; padding: 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
  dt { color: var(--second); } dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; }
  form { display: grid; gap: 8px; }
  button { display: flex; align-items: center; gap: 12px; padding: 10px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; text-align: start; cursor: pointer; }
  button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
  button:hover { border-color: var(--accent); }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  img, .blank { width: 36px; height: 36px; border-radius: 50%; background: var(--line); flex: none; }
  strong { display: block; font-weight: 600; }
  small { color: var(--second); font-size: 13px; }
`;

/** Renders a page of an emulator. @param body HTML */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`;
}

/** Renders a page of one sentence, for requests that cannot be answered. */
export function renderMessagePage(title: string, text: string): string {
  return renderPage(title, `<p>${escapeHtml(text)}</p>`);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
