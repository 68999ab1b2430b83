import type { LoaderFunctionArgs } from "@remix-run/node";
import { completeLogin } from "~/people/login.server";

export function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  return completeLogin(request);
}
