import { PERSON } from "../recipient-fields";
import { buildPresets, textField } from "../rows";

const CHECKED_ADDRESS = {
  address1: "12 Elm Street",
  address2: "Unit 1",
  address3: "",
  city: "Portland",
  county: "OR",
  postcode: "97205",
  country: "US",
  reference_id: "",
  dps: "",
  udprn: "",
  is_valid: true,
};

const STREET = { ...PERSON.address1, required: true, placeholder: "12 Elm Street" };
const CITY = { ...PERSON.city, placeholder: "Portland" };
const POSTCODE = { ...PERSON.postcode, placeholder: "97205" };

/** Checks of addresses. */
export const ADDRESS_PRESETS = buildPresets("addresses", [
  {
    label: "Look up addresses",
    description: "Finds addresses by postcode.",
    method: "GET",
    path: "addresses/lookup",
    example: [
      {
        address1: "12 Elm Street",
        address2: "Unit 1",
        city: "Portland",
        county: "OR",
        postcode: "97205",
        country: "US",
      },
    ],
    formFields: [
      { ...POSTCODE, required: true },
      {
        ...PERSON.address1,
        placeholder: "Elm Street",
        description: "Only addresses that contain these words.",
      },
      PERSON.country,
    ],
    note: "The closest documented call is addresses/validate.",
  },
  {
    label: "Validate address",
    description: "Checks a US or UK address and returns its official spelling.",
    method: "POST",
    path: "addresses/validate",
    example: CHECKED_ADDRESS,
    formFields: [
      PERSON.company,
      STREET,
      PERSON.address2,
      textField("address3", "Address line 3"),
      CITY,
      PERSON.state,
      textField("province", "Province", {
        placeholder: "QC",
        description: "Canada only, instead of the state.",
      }),
      POSTCODE,
      PERSON.country,
    ],
    documented: true,
    note: "An invalid address gives success true and is_valid false.",
  },
  {
    label: "Test address",
    description: "Checks whether an address can get mail. Nothing is sent.",
    method: "POST",
    path: "test/address",
    example: CHECKED_ADDRESS,
    formFields: [STREET, PERSON.address2, CITY, PERSON.state, POSTCODE, PERSON.country],
    note: "The closest documented call is addresses/validate.",
  },
]);
