// Must come first: jsdom loads another version, which would replace this process's `fetch` and refuse requests with
// a length.
import "undici";
import { JSDOM } from "jsdom";
import { CookieJar } from "./cookie-jar";

/** A value for a field: text to type or choose, a tick, or a file. */
export type Input = string | boolean | File;

const MOST_REDIRECTS = 5;
/** One window for all pages, because creating a window costs as much as parsing a page. */
const dom = new JSDOM();
const parser = new dom.window.DOMParser();

/** A page whose addresses are relative to `url`. */
function parsePage(html: string, url: URL): Document {
  dom.reconfigure({ url: url.href });
  // Skips the larger part of the page, which no test reads.
  return parser.parseFromString(html.replace(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, ""), "text/html");
}

/** A browser without JavaScript: reads pages, follows links, and posts forms with their fields, over HTTP. */
export class PlainBrowser {
  readonly cookies = new CookieJar();
  /** The HTML of the page; empty for a file and for another site. */
  html = "";
  url: URL;
  #document: Document | null = null;
  status = 0;

  constructor(origin: string, cookie?: string) {
    this.url = new URL(origin);
    if (cookie) this.cookies.keepLine(cookie);
  }

  /** The open page, parsed when it is first used. */
  get document(): Document {
    this.#document ??= parsePage(this.html, this.url);
    return this.#document;
  }

  /** Opens an address and follows redirects within this site. */
  async open(address: string, init: RequestInit = {}): Promise<this> {
    const { origin } = this.url;
    let url = new URL(address, this.url);
    let request = init;
    for (let redirects = 0; redirects <= MOST_REDIRECTS && url.origin === origin; redirects++) {
      const reply = await fetch(url, {
        ...request,
        redirect: "manual",
        headers: {
          Cookie: this.cookies.send(url.pathname),
          Origin: origin,
          // Without this header the answer carries inlined styles, which are not parsed here.
          "Sec-Fetch-Site": "same-origin",
          // Avoids a kept connection that the console closes at the moment in which it is used again.
          Connection: "close",
        },
      });
      this.cookies.keep(reply);
      this.status = reply.status;
      const location = reply.headers.get("Location");
      if (location === null) return this.show(url, reply);
      await reply.arrayBuffer();
      if (reply.status < 307) request = {};
      url = new URL(location, url);
    }
    if (url.origin === origin) throw new Error(`${address} redirects without end.`);
    this.html = "";
    this.#document = parsePage("", url);
    return this;
  }

  private async show(url: URL, reply: Response): Promise<this> {
    const isPage = reply.headers.get("Content-Type")?.startsWith("text/html");
    this.html = isPage ? await reply.text() : "";
    if (!isPage) await reply.arrayBuffer();
    this.#document = null;
    this.url = url;
    return this;
  }

  /** Fills in the fields by name and presses the button of their form. */
  press(button: HTMLButtonElement | string | RegExp, inputs: Record<string, Input> = {}): Promise<this> {
    const pressed = button instanceof Object && "form" in button ? button : this.button(button);
    const { form } = pressed;
    if (!form) throw new Error(`No form belongs to the button ${pressed.outerHTML}.`);
    const data = serialize(form, pressed);
    for (const [name, input] of Object.entries(inputs)) {
      const field = [...form.elements].find((element) => element.getAttribute("name") === name);
      if (!field) throw new Error(`The form has no field ${name}.`);
      if (input === false) data.delete(name);
      else data.set(name, input === true ? (field as HTMLInputElement).value : input);
    }
    const action = new URL(pressed.getAttribute("formaction") ?? form.action, this.url);
    if ((pressed.getAttribute("formmethod") ?? form.method) === "get") {
      action.search = new URLSearchParams([...data].map(([name, value]) => [name, String(value)])).toString();
      return this.open(action.href);
    }
    const isMultipart = form.enctype === "multipart/form-data";
    const body = isMultipart ? data : new URLSearchParams([...data] as [string, string][]);
    return this.open(action.href, { method: "POST", body });
  }

  /** The first button of this name that is enabled. */
  button(name: string | RegExp): HTMLButtonElement {
    const buttons = [...this.document.querySelectorAll("button")].filter((button) => !button.disabled);
    const found = buttons.find((button) => matches(nameOf(button), name));
    if (found) return found;
    throw new Error(`No button ${name} among the last ones, ${buttons.slice(-20).map(nameOf).join(" | ")}`);
  }

  has(name: string | RegExp): boolean {
    return [...this.document.querySelectorAll("button")].some(
      (button) => !button.disabled && matches(nameOf(button), name),
    );
  }

  follow(name: string | RegExp): Promise<this> {
    const link = [...this.document.querySelectorAll("a")].find((link) => matches(nameOf(link), name));
    if (!link) throw new Error(`No link ${name} on ${this.url.href}`);
    return this.open(link.href);
  }

  /** The value of a field. */
  value(name: string): string {
    const field = this.document.querySelector<HTMLInputElement>(`[name="${name}"]`);
    if (!field) throw new Error(`No field ${name} on ${this.url.href}`);
    return field.value;
  }

  /** The text of the page, or of the elements that a selector finds. */
  text(selector = "main"): string {
    return [...this.document.querySelectorAll(selector)]
      .map(({ textContent }) => trim(textContent))
      .join("\n");
  }
}

/** The form data that a browser posts for a button: all fields, hidden ones included, and the button. */
function serialize(form: HTMLFormElement, button: HTMLButtonElement): FormData {
  const data = new FormData();
  const fields = new dom.window.FormData(form, button);
  // A file that was not chosen is posted as an empty one.
  for (const [name, value] of fields) data.append(name, typeof value === "string" ? value : new File([], ""));
  return data;
}

const trim = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

function nameOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return trim(element.getAttribute("aria-label") ?? copy.textContent);
}
const matches = (text: string, name: string | RegExp) =>
  typeof name === "string" ? text === name : name.test(text);
