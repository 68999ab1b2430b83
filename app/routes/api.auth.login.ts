import type { LoaderFunctionArgs } from "@remix-run/node";
import { beginLogin } from "~/people/login.server";

export function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  return beginLogin(request);
}
