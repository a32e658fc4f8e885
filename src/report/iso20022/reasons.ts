/**
 * Reasons of ISO's external code set `ExternalStatusReason1Code` that payouts are given, with what each says in short.
 * Source: https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets
 */
export const REASONS = {
  AC01: 'The account number is invalid or missing.',
  AC04: "The account is closed in its bank's books.",
  AC14: "The type of the creditor's account is missing or invalid.",
  AM01: 'The amount is zero.',
  AM02: 'The amount is greater than the allowed maximum.',
  AM03: 'The currency cannot be processed.',
  AM04: 'The available funds do not cover the amount.',
  AM05: 'It is a duplicate.',
  AM06: 'The amount is less than the minimum.',
  AM11: 'The currency is invalid or missing.',
  AM12: 'The amount is invalid or missing.',
  BE01: 'The identification of the customer is not consistent with the account number.',
  BE04: "The creditor's address is missing or not correct.",
  BE11: "The creditor's country code is missing or invalid.",
  BE17: "The creditor's identification code is missing or invalid.",
  BE18: 'Contact details are missing or invalid.',
  BE20: 'The name is longer than the rules of the payment type allow.',
  BE21: 'The name is missing or invalid.',
  BE22: "The creditor's name is missing.",
  BE23: 'The phone number, e-mail address or other proxy of the account is unknown or invalid.',
  CH16: 'The content is incorrect.',
  CH20: 'The number of decimals does not fit the currency.',
  DS02: 'An authorised user has cancelled the order.',
  DS0A: 'A signature is required.',
  FF03: 'The payment type is missing or invalid.',
  MS03: 'The agent has not given a reason.',
  NARR: 'The reason is in the additional information.',
  RC01: 'The bank identifier has an incorrect format.',
  RC04: "The creditor's bank identifier is invalid or missing.",
  RR04: 'A regulatory reason.',
  RR07: 'The remittance information does not comply with the rules of the payment type.',
  RR10: 'Characters are not valid for the country and the payment type.',
} as const;
export type Reason = keyof typeof REASONS;
