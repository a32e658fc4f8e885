import { describe, expect, it } from 'vitest';
import { readExplicitColumns } from '../../src/compose/named-input.ts';
import { placesOf, readAll } from './reading.ts';

const REST = 'amount,currency,external_account_id';

async function nameIn(header: string, cells: string) {
  const { runRows, problems } = await readAll(`${header},${REST}\n${cells},1,EUR,acc_1\n`);
  return [runRows[0]?.order?.payee.name ?? null, problems.map(({ code }) => code)];
}

describe('first and last names', () => {
  it.each([
    ['First Name,Last Name', 'Ada,Byron', 'Ada Byron'],
    ['last_name,first_name', 'Byron,Ada', 'Ada Byron'],
    ['Surname,Given Name,Middle Name', 'Johnson,Katherine,G.', 'Katherine G. Johnson'],
    ['Vorname,Nachname', 'Jürgen,Müller', 'Jürgen Müller'],
    ['Nom de famille,Prénom', 'Lefèvre,Noël', 'Noël Lefèvre'],
    ['Nombres,Apellido paterno,Apellido materno', 'Juan,Pérez,López', 'Juan Pérez López'],
    ['Primeiro nome,Apelido', 'João,Souza', 'João Souza'],
    ['Voornaam,Tussenvoegsel,Achternaam', 'Eva,de,Vries', 'Eva de Vries'],
    ['Voornaam,Tussenvoegsel,Achternaam', 'Jan,,Jansen', 'Jan Jansen'],
    ['Imię,Nazwisko', 'Zofia,Wiśniewska', 'Zofia Wiśniewska'],
    // One word that may be the whole name is the other part where the rows show it.
    ['Name,Vorname', 'Müller,Jürgen', 'Jürgen Müller'],
    ['Nom,Prénom', 'Koné,Aïcha', 'Aïcha Koné'],
    ['Nombre,Apellidos', 'Ana,Ruiz Gil', 'Ana Ruiz Gil'],
    ['Cognome,Nome', 'Rossi,Mario', 'Mario Rossi'],
  ])('%s are one name', async (header, cells, name) => {
    expect(await nameIn(header, cells)).toEqual([name, []]);
  });

  it.each([
    ['a whole name beside them', 'Full Name,First Name,Last Name', 'Ada Byron,Ada,Byron', ['Ada Byron', []]],
    ['a row that shows the whole name', 'Name,Vorname', 'Jürgen Müller,Jürgen', ['Jürgen Müller', ['name_in_parts']]],
  ])('are not joined with %s', async (_what, header, cells, expected) => {
    expect(await nameIn(header, cells)).toEqual(expected);
  });

  it('are missing as any name is, and are wrong where both are empty', async () => {
    const text = `First Name,Last Name,${REST}\n,,1,EUR,a\nAda,,1,EUR,b\n`;
    const result = await readAll(text);
    expect([placesOf(result), result.payouts]).toEqual([['A2 name_missing'], 1]);
  });
});

describe('columns that a person joins', () => {
  it('are one, in the order that was given', async () => {
    const columns = readExplicitColumns(['Family+Given=name', 'Ref A+Ref B=reference']);
    const text = `Given,Family,Ref A,Ref B,${REST},rail\nLi,Wang,PAY,07,1,EUR,a,\n`;
    const { runRows, problems, mapping } = await readAll(text, { columns });
    expect(problems).toEqual([]);
    expect(runRows[0]?.order).toMatchObject({ payee: { name: 'Wang Li' }, reference: 'PAY 07' });
    expect(mapping.map(({ header }) => header)).toEqual(['Family+Given', 'Ref A+Ref B']);
  });

  it('must all be there', async () => {
    const columns = readExplicitColumns(['Family+Gven=name']);
    const { problems } = await readAll(`Given,Family,${REST}\nLi,Wang,1,EUR,a\n`, { columns });
    expect(problems.map(({ code }) => code)).toContain('mapped_header_absent');
  });

  it('are not two where one header has the + itself', async () => {
    const columns = readExplicitColumns(['Name+Title=name']);
    const { runRows } = await readAll(`Name+Title,Name,${REST}\nDr Li,Li,1,EUR,a\n`, { columns });
    expect(runRows[0]?.order?.payee.name ?? null).not.toBe('Dr Li Li');
  });
});

describe('a column that is named by its letters', () => {
  const TEXT = 'name,IMPORTE,currency,external_account_id,IMPORTE\nAna,1,EUR,a,12.50\n';

  it('is told apart from one with the same header', async () => {
    const asked = await readAll(TEXT);
    expect([placesOf(asked), asked.payouts]).toEqual([['E1 column_twice'], 0]);
    expect(asked.problems[0]?.remedy).toContain('--column "E="');
    const { totals, problems } = await readAll(TEXT, { columns: readExplicitColumns(['B=']) });
    expect([problems, totals.map(({ minor }) => minor)]).toEqual([[], [1250n]]);
  });

  it('is named so for a header of any words, and may be joined', async () => {
    const columns = readExplicitColumns(['B+A=name']);
    const { runRows } = await readAll(`?,??,${REST}\nByron,Ada,1,EUR,a\n`, { columns });
    expect(runRows[0]?.order?.payee.name).toBe('Ada Byron');
  });

  it('is a header where there is one of these letters', async () => {
    const columns = readExplicitColumns(['B=name']);
    const { runRows } = await readAll(`X,Y,B,${REST}\nx,y,Ana,1,EUR,a\n`, { columns });
    expect(runRows[0]?.order?.payee.name).toBe('Ana');
  });

  it('must be there', async () => {
    const { problems } = await readAll(TEXT, { columns: readExplicitColumns(['Z=name']) });
    expect(problems.map(({ code }) => code)).toContain('mapped_header_absent');
  });
});
