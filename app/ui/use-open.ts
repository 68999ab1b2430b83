import { useLocation } from "@remix-run/react";
import { type MouseEvent, useState } from "react";

/**
 * Opens a part of the page by a link: at once with JavaScript, and without it by loading the address that names the part. Its
 * elements are in the page only while it is open, which a `<details>` cannot do.
 * @param name of the parameter in the address
 * @param value of the parameter when this part is open
 * @param target ID of the element that the address scrolls to
 */
export function useOpen(name: string, value: string, target: string) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  const [open, setOpen] = useState(parameters.get(name) === value);
  if (open) parameters.delete(name);
  else parameters.set(name, value);
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    setOpen(!open);
  };
  return { open, href: `${pathname}?${parameters}#${target}`, onClick };
}
