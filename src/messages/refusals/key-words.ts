import type { KeyFileFault } from '../../domain/refusals/key-faults.ts';
import { plainCommand, shellWord } from '../command-line.ts';
import { either, t, textTable } from '../translate.ts';

/** Why a file of a key or a passphrase cannot be used or made, and what to do. */
export function keyFileText(fault: KeyFileFault): [message: string, remedy: string] {
  const [what, remedy] = textOf(fault);
  const of = 'of' in fault ? fault.of : fault.code === 'no_passphrase' ? 'passphrase' : 'key';
  return [t`the ${either(of === 'key', 'key', 'passphrase')} file ${fault.path} ${what}`, remedy];
}

const makeOne = () => t`make one with: payrun keys new`;
const restore = () => t`restore it from where you keep your keys`;

/** What is wrong, behind the name of the file. */
function textOf(fault: KeyFileFault): [what: string, remedy: string] {
  switch (fault.code) {
    case 'not_pem': {
      const { blocks } = fault;
      const what = blocks === 0 ? t`is not a PEM file` : t`holds ${blocks} PEM blocks instead of one private key`;
      return [what, t`give the PEM file of the private key, or ${makeOne()}`];
    }
    case 'not_private':
      return [
        t`holds a ${fault.label.toLowerCase()}, not a private key`,
        t`give the file of the private key that belongs to it`,
      ];
    case 'encrypted':
      return [
        t`is encrypted with a passphrase`,
        t`decrypt it with: openssl pkcs8 -in FILE -out NEW_FILE, and: chmod 600 NEW_FILE`,
      ];
    case 'not_pkcs8':
      return [
        t`holds "${fault.label}", not a PKCS#8 private key`,
        t`give a PKCS#8 PEM file ("BEGIN PRIVATE KEY"), or ${makeOne()}`,
      ];
    case 'not_ed25519':
      return [
        t`holds ${OTHER_KEYS[fault.holds]}, not an Ed25519 key`,
        t`the service takes Ed25519 keys only; ${makeOne()}`,
      ];
    case 'damaged':
      return [t`is damaged: ${DAMAGE[fault.how]}`, t`${restore()}, or ${makeOne()}`];
    case 'not_found': {
      const approver = plainCommand('keys', 'new', '--approver', fault.path);
      const make = fault.isOfPerson ? t`make one with: ${approver}` : makeOne();
      return [t`is not there`, fault.of === 'key' ? t`check the path, or ${make}` : t`check the path`];
    }
    case 'not_a_file':
      return [t`is not a file`, t`give the path of the file itself`];
    case 'unreadable':
      return [t`cannot be read (${fault.cause})`, t`let the user that runs payrun own it`];
    case 'mode_too_wide': {
      const mode = fault.mode.toString(8).padStart(4, '0');
      return [t`has mode ${mode}: its permissions are too open`, t`chmod 600 ${shellWord(fault.path)}`];
    }
    case 'too_large':
      return [t`has ${fault.bytes} bytes, too many for a key`, t`check the path`];
    case 'not_encrypted': {
      const { could } = fault;
      if (could === null) return [t`is not encrypted`, t`encrypt it`];
      const remedy = t`make a key that has a passphrase: payrun keys new --approver FILE`;
      return [
        t`is not encrypted, so anyone who has it could ${either(could === 'approve', 'approve', 'make plans in the name of its owner')}`,
        remedy,
      ];
    }
    case 'wrong_passphrase':
      return [t`does not open with this passphrase`, t`give the one it was made with`];
    case 'exists':
      return [t`is there already`, t`choose another path; a key is never overwritten`];
    case 'unwritable':
      return [t`cannot be written (${fault.cause})`, t`choose a path in a folder that exists and can be written`];
    case 'not_decrypted':
      return [t`is damaged (${fault.cause})`, restore()];
    case 'no_passphrase':
      return [fault.isEmpty ? t`is empty` : t`has more than one line`, t`write the passphrase into it, in one line`];
  }
}

const OTHER_KEYS: Readonly<Record<Extract<KeyFileFault, { code: 'not_ed25519' }>['holds'], string>> = textTable({
  rsa: 'an RSA key',
  rsa_pss: 'an RSA-PSS key',
  ec: 'an elliptic-curve (EC) key',
  x25519: 'an X25519 key',
  ed448: 'an Ed448 key',
  another: 'another kind of key',
});

const DAMAGE: Readonly<Record<Extract<KeyFileFault, { code: 'damaged' }>['how'], string>> = textTable({
  base64: 'its base64 is not complete',
  structure: 'it is not a PKCS#8 structure',
  another_public_key: 'the public key in it belongs to another private key',
});
