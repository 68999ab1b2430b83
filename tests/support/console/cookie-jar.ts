interface Kept {
  value: string;
  path: string;
}

/** A browser's cookies for one site. */
export class CookieJar {
  private readonly cookies = new Map<string, Kept>();

  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) this.keepLine(line);
  }

  keepLine(line: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf("="));
    const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? "/";
    if (attributes.some((part) => /^max-age=0$/i.test(part) || /^expires=Thu, 01 Jan 1970/i.test(part))) {
      this.cookies.delete(`${name};${path}`);
    } else {
      this.cookies.set(`${name};${path}`, { value: pair.slice(name.length + 1), path });
    }
  }

  /** The `Cookie` header for a path. */
  send(path: string): string {
    return [...this.cookies]
      .filter(([, kept]) => path.startsWith(kept.path))
      .map(([key, kept]) => `${key.slice(0, key.indexOf(";"))}=${kept.value}`)
      .join("; ");
  }

  /** Names of the cookies kept, in alphabetical order. */
  get names(): string[] {
    return [...this.cookies.keys()].map((key) => key.slice(0, key.indexOf(";"))).sort();
  }

  /** Replaces the value of a cookie, as a person could by hand. */
  change(name: string, edit: (value: string) => string): void {
    for (const [key, kept] of this.cookies) {
      if (key.startsWith(`${name};`)) this.cookies.set(key, { ...kept, value: edit(kept.value) });
    }
  }

  copy(): CookieJar {
    const jar = new CookieJar();
    for (const [key, kept] of this.cookies) jar.cookies.set(key, kept);
    return jar;
  }
}
