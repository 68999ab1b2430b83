export function formatNonJson(text: string): string {
  const start = text.slice(0, 100_000);
  if (start.trim() === "") return "Failed to parse response: the answer is empty.";
  if (!/<(?:!doctype|html|head|title|body|h1|center)\b/i.test(start)) {
    return `Invalid JSON response: ${start.slice(0, 500)}`;
  }
  if (/\b413\b|request entity too large/i.test(start)) {
    return "Request too large: it was refused for its size. Please reduce image sizes or content.";
  }
  if (/\b50[234]\b/.test(start)) {
    return "Server error: The API server is temporarily unavailable. Please try again in a moment.";
  }
  return `Server returned HTML instead of JSON: ${start.slice(0, 300)}`;
}
