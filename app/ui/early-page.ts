import { setUnanswered } from "./page-fetch";

/**
 * Loads a tab or preset while the pointer or the focus is on its link (`data-early`), so that the click waits less. The data
 * serves one navigation, soon afterwards, and none after this page has changed something: it could show an old balance.
 */

/** A pointer that crosses links on its way somewhere else loads nothing. */
const REST_MS = 60;
const USABLE_MS = 3_000;

let early: { url: string; at: number; answer: Promise<Response | null> } | null = null;

/** Starts to load pages early, and lets `fetch` use what was loaded. */
export function loadPagesEarly(): void {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const changes = input instanceof Request || (init?.method !== undefined && init.method !== "GET");
    if (!changes) return (await takeEarly(input)) ?? send(input, init);
    // Again at its end, because a page that was loaded in between may not show the change.
    drop();
    return send(input, init).finally(drop);
  };
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
  // The page's `fetch` does not repeat a `Request`. The body is read at once, because an unread one keeps its connection.
  const answer = send(new Request(url)).then(async (reply) => new Response(await reply.text(), reply));
  early = { url, at: Date.now(), answer: answer.catch(() => null) };
  for (const { path = "", module, imports = [] } of Object.values(window.__remixManifest.routes)) {
    if (`/${path}` !== pathname) continue;
    for (const href of [module, ...imports]) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
  }
}

function drop(): void {
  early = null;
}

/** Takes the answer that was loaded early for this request; null when there is none that can be used. */
async function takeEarly(input: string | URL): Promise<Response | null> {
  const { pathname, search } = new URL(String(input), window.location.href);
  if (early?.url !== pathname + search || Date.now() - early.at > USABLE_MS) return null;
  const { answer } = early;
  drop();
  const loaded = await answer;
  if (!loaded?.ok || !loaded.headers.has("X-Remix-Response")) return null;
  setUnanswered(null);
  return loaded;
}
