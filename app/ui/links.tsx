import { Link, type LinkProps } from "@remix-run/react";

export function TextLink(props: Omit<LinkProps, "className">) {
  return <Link {...props} className="link" />;
}

export function ButtonLink(props: Omit<LinkProps, "className">) {
  return <Link {...props} className="button" />;
}

interface PagesProps {
  newest: string | null;
  older: string | null;
  /** Text in place of the link on the last page. */
  end: string | null;
}

/** Links to the first and the next page of a list by time; null addresses have no link. */
export function Pages({ newest, older, end }: PagesProps) {
  if (!newest && !older && !end) return null;
  return (
    <nav aria-label="Pages" className="flex gap-4 py-1">
      {newest ? <TextLink to={newest}>Newest</TextLink> : null}
      {older ? <TextLink to={older}>Older</TextLink> : end ? <span className="text-dim">{end}</span> : null}
    </nav>
  );
}
