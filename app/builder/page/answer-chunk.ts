/** Parts that the first screen after sign-in does not show: a separate chunk, which `lazy-chunks.tsx` loads. */

export { AnswerView, Example } from "../answer/answer-view";
export { ResponseView } from "../answer/response-view";
export { SavePanel } from "../answer/save-panel";
export { SendAnyway, SendTested } from "../answer/send-tested";
export { HistoryList } from "../history/history-list";
export { WelcomePanel } from "./welcome-panel";
