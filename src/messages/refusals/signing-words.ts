import type { SigningFault } from '../../domain/refusals/signing-reasons.ts';
import { t } from '../translate.ts';
import type { WordsOf } from './refusal-words.ts';
import { setUpWords } from './set-up-words.ts';

/** Why the requests of a client cannot be signed. */
export const SIGNING_WORDS: WordsOf<'signing_template' | 'key_id_unusable'> = {
  signing_template: ({ code: _, ...fault }) => ({
    message: t`signing template: ${faultText(fault)}`,
    remedy: t`correct \`signing\` in the connection profile`,
  }),
  key_id_unusable: () =>
    setUpWords(
      'credentials',
      t`the API key id must be 1 to 200 printable characters without blanks, quotes and backslashes`,
      t`give the id of the key with --api-key or as \`api_key\` in the connection profile`,
    ),
};

function faultText(fault: SigningFault): string {
  switch (fault.why) {
    case 'always_the_same':
      return t`the message to sign has no placeholder, so every signature is the same`;
    case 'no_signature':
      return t`no header carries {signature} or {signature_hex}`;
    case 'too_many_headers':
      return t`there are more than ${fault.max} headers`;
    case 'no_header_name':
      return t`${JSON.stringify(fault.header)} is not the name of a header`;
    case 'transport_header':
      return t`the header ${fault.header} belongs to the transport and cannot be set`;
    case 'header_twice':
      return t`the header ${fault.header} is there twice`;
    case 'unprintable_header':
      return t`the header ${fault.header} has a line end or another character that no header may have`;
    case 'too_long':
      return t`${placeOf(fault.header)} is longer than ${fault.max} characters`;
    case 'single_brace':
      return t`${placeOf(fault.header)} has a single ${fault.brace}; write it twice for the brace itself`;
    case 'unknown_placeholder': {
      const list = fault.allowed.map((known) => `{${known}}`).join(', ');
      return t`${placeOf(fault.header)} has the placeholder {${fault.placeholder}}, and can have only ${list}`;
    }
  }
}

function placeOf(header: string | null): string {
  return header === null ? t`the message to sign` : t`the header ${header}`;
}
