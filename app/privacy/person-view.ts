/** What is kept about a person, in numbers. */
export interface PersonView {
  id: string;
  name: string;
  email: string | null;
  /** The provider's. */
  recipientId: string | null;
  pieces: number;
  pdfs: number;
  responses: number;
}
