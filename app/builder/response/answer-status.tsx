import type { ProxyResponse } from "~/sending/proxy-types";
import { Badge } from "~/ui/badge";

/** The status of an answer in words, coloured by success. */
export function AnswerStatus({ response }: { response: ProxyResponse }) {
  const { status, error, request, pending } = response;
  if (request === null && !pending) return <Badge tone="bad">Not sent</Badge>;
  if (status === null) return <Badge tone={pending ? "warn" : "bad"}>No answer</Badge>;
  const good = error === null && status < 400;
  const redirect = status >= 300 && status < 400;
  return (
    <Badge tone={redirect ? "warn" : good ? "ok" : "bad"}>
      {status} {STATUS_WORDS[status] ?? (good ? "OK" : "Error")}
      {error !== null && status < 300 ? (response.data === null ? ", unreadable" : ", refused") : ""}
    </Badge>
  );
}

const STATUS_WORDS: Record<number, string> = {
  200: "OK",
  201: "Created",
  204: "No content",
  301: "Redirect",
  302: "Redirect",
  400: "Bad request",
  401: "Not authorised",
  402: "Payment required",
  403: "Forbidden",
  404: "Not found",
  409: "Conflict",
  413: "Too large",
  415: "Unsupported media type",
  422: "Not processable",
  429: "Too many requests",
  500: "Server error",
  502: "Bad gateway",
  503: "Unavailable",
  504: "Gateway time-out",
};
