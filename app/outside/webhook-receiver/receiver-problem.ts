/** Reason why a receiver gave no answer. `private`: its address is in a private network, so nothing was sent. */
export type ReceiverProblem = "private" | "timeout" | "name" | "certificate" | "connection" | "unsigned";
