import { COUNTRIES, TITLES } from "./options";
import type { FormField } from "./types";

/** Fields of a saved recipient, for the recipient and address calls. */
export const PERSON = {
  title: { name: "title", label: "Title", type: "select", options: TITLES },
  company: { name: "company", label: "Company", type: "text", placeholder: "Fernbank Dental" },
  firstname: { name: "firstname", label: "First name", type: "text" },
  lastname: { name: "lastname", label: "Last name", type: "text" },
  address1: { name: "address1", label: "Address line 1", type: "text" },
  address2: { name: "address2", label: "Address line 2", type: "text", placeholder: "Unit 4" },
  city: { name: "city", label: "City", type: "text" },
  state: {
    name: "state",
    label: "State",
    type: "text",
    placeholder: "OR",
    description: "State, province or county. Two letters in the US.",
    note: "The provider returns it as county.",
  },
  postcode: { name: "postcode", label: "Postcode", type: "text" },
  country: { name: "country", label: "Country", type: "select", options: COUNTRIES, placeholder: "US" },
  email: { name: "email", label: "E-mail", type: "text", placeholder: "amelia.hartwell@example.com" },
  phone: {
    name: "phone",
    label: "Phone",
    type: "text",
    placeholder: "+12025550110",
    note: "The provider documents this as phone_number.",
  },
} satisfies Record<string, FormField>;

/**
 * Recipient of a postcard or letter. `recipient_*` values become the recipient object, which replaces the ID in `recipient`.
 * None is required or has a starting value, because the ID could then never be used. Each kind of mail adds its countries.
 */
export const MAIL_RECIPIENT_FIELDS: readonly FormField[] = [
  {
    name: "recipient",
    label: "Existing recipient",
    type: "text",
    placeholder: "Name, company, city, postcode or ID",
  },
  { ...PERSON.title, name: "recipient_title" },
  { ...PERSON.company, name: "recipient_company" },
  { ...PERSON.firstname, name: "recipient_firstname", placeholder: "Amelia" },
  { ...PERSON.lastname, name: "recipient_lastname", placeholder: "Hartwell" },
  { ...PERSON.address1, name: "recipient_address1", placeholder: "12 Elm Street" },
  { ...PERSON.address2, name: "recipient_address2" },
  { ...PERSON.city, name: "recipient_city", placeholder: "Portland" },
  {
    name: "recipient_state",
    label: "State",
    type: "text",
    placeholder: "OR",
    note: "State, province or county. Two letters in the US.",
  },
  { ...PERSON.postcode, name: "recipient_postcode", placeholder: "97205" },
  { ...PERSON.email, name: "recipient_email" },
  { ...PERSON.phone, name: "recipient_phone" },
];
