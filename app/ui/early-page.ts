/**
 * Loads a tab or preset while the pointer or the focus is on its link (`data-early`), so that the click waits less. The data
 * serves one navigation, soon afterwards, and none after this page has changed something: it could show an old balance.
 */

/** A pointer that crosses links on its way somewhere else loads nothing. */
const REST_MS = 60;
const USABLE_MS = 3_000;

let early: { url: string; at: number; answer: Promise<Response | null> } | null = null;

/** @param send `fetch` as the browser has it, without retries */
export function loadPagesEarly(send: typeof fetch): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const consider = ({ target, type }: Event) => {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-early]") : null;
    if (type === "click" || !link || link.href === window.location.href) return;
    timer = setTimeout(() => load(send, link), REST_MS);
  };
  for (const name of ["pointerover", "focusin", "click"]) document.addEventListener(name, consider, true);
}

function load(send: typeof fetch, { pathname, search }: HTMLAnchorElement): void {
  const url = (pathname === "/" ? "/_root.data" : `${pathname}.data`) + search;
  if (early?.url === url && Date.now() - early.at < USABLE_MS) return;
  // Read at once: a body that no one reads would keep its connection.
  const answer = send(url).then(async (reply) => new Response(await reply.text(), reply));
  early = { url, at: Date.now(), answer: answer.catch(() => null) };
  for (const { path = "", module, imports = [] } of Object.values(window.__remixManifest.routes)) {
    if (`/${path}` !== pathname) continue;
    for (const href of [module, ...imports]) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
  }
}

/** Forgets what was loaded early. Call it when a request begins that may change something, and when it ends. */
export function dropEarlyPage(): void {
  early = null;
}

/** The answer that was loaded early for this request; null: there is none that can be used. */
export async function takeEarlyPage(input: RequestInfo | URL): Promise<Response | null> {
  const { pathname, search } = new URL(String(input), "http://page");
  if (early?.url !== pathname + search || Date.now() - early.at > USABLE_MS) return null;
  const { answer } = early;
  early = null;
  const loaded = await answer;
  return loaded?.ok && loaded.headers.has("X-Remix-Response") ? loaded : null;
}
