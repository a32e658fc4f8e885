import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { temporaryFolder } from './payrun.ts';

/** The schemas of ISO 20022, as `.ci/iso20022-schemas` puts them into a folder. They may not be kept here. */
const FOLDER = process.env.ISO20022_SCHEMAS ?? '';

const isXmllintHere = spawnSync('xmllint', ['--version']).status === 0;

/** Why bank files cannot be validated here; null where they can. */
export const NO_VALIDATORS = !existsSync(FOLDER)
  ? 'ISO20022_SCHEMAS names no folder (.ci/iso20022-schemas fills one)'
  : isXmllintHere
    ? null
    : 'xmllint is not here';

if (NO_VALIDATORS !== null) console.warn(`SKIPPED: ${NO_VALIDATORS}, so bank files were not validated`);

/** What two validators say against a message: nothing where it is valid. */
export function invalidIn(xml: string): string[] {
  const message = /xmlns="urn:iso:std:iso:20022:tech:xsd:([a-z0-9.]+)"/.exec(xml)?.[1] ?? 'none';
  const schema = join(FOLDER, `${message}.xsd`);
  return [...byLibxml2Wasm(xml, schema), ...byXmllint(xml, schema)];
}

function byLibxml2Wasm(xml: string, schema: string): string[] {
  using definition = XmlDocument.fromBuffer(readFileSync(schema));
  using validator = XsdValidator.fromDoc(definition);
  try {
    using document = XmlDocument.fromString(xml);
    validator.validate(document);
    return [];
  } catch (error) {
    return [`libxml2-wasm: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function byXmllint(xml: string, schema: string): string[] {
  const path = join(temporaryFolder(), 'message.xml');
  writeFileSync(path, xml);
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', schema, path], { encoding: 'utf8' });
  return status === 0 ? [] : [`xmllint: ${stderr}`];
}
