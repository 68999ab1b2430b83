import { COUNTRIES, TITLES } from "./options";
import { selectField, textField } from "./rows";
import type { FormField } from "./types";

/** Fields of a saved recipient in their order, for the recipient and address calls. */
export const PERSON = {
  title: selectField("title", "Title", TITLES),
  firstname: textField("firstname", "First name"),
  lastname: textField("lastname", "Last name"),
  company: textField("company", "Company", { placeholder: "Fernbank Dental" }),
  address1: textField("address1", "Address line 1"),
  address2: textField("address2", "Address line 2", { placeholder: "Unit 4" }),
  city: textField("city", "City"),
  state: textField("state", "State", {
    placeholder: "OR",
    description: "State, province or county. Two letters in the US.",
    note: "The provider returns it as county.",
  }),
  postcode: textField("postcode", "Postcode"),
  country: selectField("country", "Country", COUNTRIES, { placeholder: "US" }),
  email: textField("email", "E-mail", { placeholder: "amelia.hartwell@example.com" }),
  phone: textField("phone", "Phone", {
    placeholder: "+12025550110",
    note: "The provider documents this as phone_number.",
  }),
} satisfies Record<string, FormField>;

/**
 * Recipient of a postcard or letter. `recipient_*` values become the recipient object, which replaces the ID in `recipient`.
 * None is required or has a starting value, because the ID could then never be used. Each kind of mail adds its countries.
 */
export const MAIL_RECIPIENT_FIELDS: readonly FormField[] = [
  textField("recipient", "Existing recipient", { placeholder: "Name, company, city, postcode or ID" }),
  { ...PERSON.title, name: "recipient_title" },
  { ...PERSON.company, name: "recipient_company" },
  { ...PERSON.firstname, name: "recipient_firstname", placeholder: "Amelia" },
  { ...PERSON.lastname, name: "recipient_lastname", placeholder: "Hartwell" },
  { ...PERSON.address1, name: "recipient_address1", placeholder: "12 Elm Street" },
  { ...PERSON.address2, name: "recipient_address2" },
  { ...PERSON.city, name: "recipient_city", placeholder: "Portland" },
  textField("recipient_state", "State", {
    placeholder: "OR",
    note: "State, province or county. Two letters in the US.",
  }),
  { ...PERSON.postcode, name: "recipient_postcode", placeholder: "97205" },
  { ...PERSON.email, name: "recipient_email" },
  { ...PERSON.phone, name: "recipient_phone" },
];
