import { Link, type LinkProps } from "@remix-run/react";

/** A link in a text. */
export function TextLink(props: Omit<LinkProps, "className">) {
  return <Link {...props} className="link" />;
}

/** A link to the next step, as a button. */
export function ButtonLink(props: Omit<LinkProps, "className">) {
  return <Link {...props} className="button" />;
}
