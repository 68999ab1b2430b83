/** What the reference shows. The people in it do not exist. */
const PIECE = {
  id: "5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
  mode: "live",
  type: "postcard",
  state: "accepted",
  status: "received",
  status_at: "2026-11-22T17:05:12.000Z",
  provider_id: "4180021",
  user_id: "auth-ada",
  actor_id: "auth-ada via nightly-job",
  recipient: "Amelia Hartwell",
  credits: { cost: 1, held: 0, charged: 1 },
  note: null,
  url: "https://mailroom.example.com/sends/5f1c0a9e7b3d4c2f8a6e1d0b9c8f7a6e",
  created_at: "2026-11-22T17:05:11.204Z",
  settled_at: "2026-11-22T17:05:12.031Z",
} as const;

export const EXAMPLES = {
  newPiece: {
    mode: "test",
    type: "postcard",
    recipient: {
      firstname: "Amelia",
      lastname: "Hartwell",
      address1: "12 Elm Street",
      city: "Portland",
      state: "OR",
      postcode: "97205",
      country: "US",
    },
    content: { size: "4x6", template: "21001" },
    tags: ["welcome"],
  },
  created: { success: true, data: PIECE, replayed: false, notice: null },
  one: { success: true, data: PIECE },
  list: { success: true, data: [PIECE], next_cursor: null },
  cancelled: {
    success: true,
    data: { ...PIECE, state: "cancelled", status: "cancelled", credits: { cost: 1, held: 0, charged: 0 } },
    message: "Postcard cancelled",
    refund: { credits_refunded: 1, new_balance: 100 },
  },
  proxy: { path: "recipients/list", method: "GET" },
  adjustment: { user_id: "auth-ada", amount: 10, description: "Top-up for November", action: "add" },
} as const;
