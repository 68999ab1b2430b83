export interface BaseUrlView {
  label: string;
  url: string;
  /** True when `.json` is appended to every path sent there. */
  appendJson: boolean;
}
