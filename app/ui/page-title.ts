/** Makes the `meta` of a page: the number of open alarms, then the title, which `find` reads from the page's data. */
export function titlePage<Data>(name: string, find?: (data: Data) => string) {
  return ({ data, matches }: { data?: unknown; matches: { data?: unknown }[] }) => {
    const { openAlarms } = Object(matches[0]?.data) as { openAlarms?: number };
    const title = data && find ? find(data as Data) : name;
    return [{ title: `${openAlarms ? `(${openAlarms}) ` : ""}${title} · Mailroom` }];
  };
}
