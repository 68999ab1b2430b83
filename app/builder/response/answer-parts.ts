/** Parts that the first screen after sign-in does not show: a separate chunk, which `lazy-answer.tsx` loads. */
export { HistoryList } from "../history/history-list";
export { ReopenNotice } from "../reopen/reopen-notice";
export { SendAnyway, SendTested } from "../send-tested/send-tested";
export { WelcomePanel } from "../start/welcome-panel";
export { AnswerView, Example, ResponseView } from "./answer-view";
export { SavePanel } from "./save-panel";
