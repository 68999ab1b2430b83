/** What the Builder says about a curl command that was pasted. */

export const PASTE_CURL = {
  name: "Paste curl",
  about: "Fill the builder from a command. A key in it is dropped.",
};
export const CURL_LABEL = "curl command";
export const CURL_PLACEHOLDER = "curl https://api-us1.stannp.com/v1/recipients/list -u API_KEY:";
export const FILL_BUILDER = "Fill the builder";
export const CURL_FILLED = "The curl command filled the builder. Nothing was sent.";
export const CURL_REFUSED = "This command was not used.";
export const CURL_UNREACHABLE = "Mailroom did not answer. Check the connection and paste the command again.";
export const CURL_LIVE = "It was live mail. It opens as a test.";

/** Why a command cannot be read, and what to do. */
export const CURL_PROBLEMS = {
  empty: "Paste a curl command first.",
  notCurl: "It does not begin with curl.",
  quotes: "A quote is not closed. Copy the whole command.",
  curlyQuotes: "Its quotes are curly. Write straight ones instead.",
  windows: "It is written for the Windows prompt. Copy it as cURL (bash) instead.",
  noUrl: "It has no web address.",
  badUrl: "Its web address cannot be read.",
};

export function formatCurlTooLong(limit: number): string {
  return `It is longer than ${limit.toLocaleString("en")} characters. Leave the files out and choose them in the form.`;
}

export function formatCurlMethod(method: string): string {
  return `The builder has no ${method} requests.`;
}

/** @param places where it was: "-u", "api_key in the body" */
export function formatKeyDropped(places: readonly string[]): string {
  return `The key was dropped (${places.join(", ")}). The server adds its own key.`;
}

export function formatOtherBase(host: string, label: string): string {
  return `${host} is not one of the base URLs here. ${label} is used instead.`;
}

export function formatFilesToChoose(names: readonly string[]): string {
  return `Choose ${names.join(", ")}: files are not part of a command.`;
}

export function formatFilesByHand(names: readonly string[]): string {
  return `The Body tab says where the base64 of ${names.join(", ")} goes.`;
}

export function formatHeadersLeftOut(names: readonly string[]): string {
  return `Not sent from here: ${names.join(", ")}.`;
}

export function formatUnfit(names: readonly string[]): string {
  return `The form cannot hold ${names.join(", ")} as written. They are in the Body or Query Params tab.`;
}

export function formatRepeated(names: readonly string[]): string {
  return `Given twice, the last value counts: ${names.join(", ")}.`;
}
