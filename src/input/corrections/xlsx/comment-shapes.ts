/** Where a comment's box is drawn. Row and column count from 0. */
export type ShapePlace = { row: number; column: number };

const BEGIN =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">';

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

/** Numbers of shapes are given out in blocks of so many. */
const BLOCK = 1_024;

/** How far a box reaches: columns to the right, rows down. */
const WIDTH = 4;
const HEIGHT = 7;

/**
 * The drawing of a sheet's comments, which programs want beside the comments themselves, with boxes removed and added. It is
 * of an old kind that need not be XML (programs write `<br>` in it), so it is taken for text.
 */
export function withShapes(drawing: string | null, removed: ReadonlySet<string>, added: readonly ShapePlace[]): string {
  const kept = removed.size === 0 || drawing === null ? drawing : withoutShapes(drawing, removed);
  const end = kept?.lastIndexOf('</xml>') ?? -1;
  if (kept === null || end === -1) {
    const blocks = Array.from({ length: Math.floor(added.length / BLOCK) + 1 }, (_, at) => at + 1).join(',');
    const layout = `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${blocks}"/></o:shapelayout>`;
    return `${BEGIN}${layout}${SHAPE_TYPE}${shapes(added, BLOCK)}</xml>`;
  }
  if (added.length === 0) return kept;
  const type = kept.includes(' id="_x0000_t202"') ? '' : SHAPE_TYPE;
  const last = Math.max(BLOCK, ...Array.from(kept.matchAll(/id="_x0000_s(\d+)"/g), ([, id]) => Number(id)));
  return `${kept.slice(0, end)}${declared(kept, type + shapes(added, last + 1))}${kept.slice(end)}`;
}

/** The names that Excel gives to what a drawing is made of; another program's drawing may have others. */
function declared(drawing: string, xml: string): string {
  const head = drawing.slice(0, 2_000);
  return ['xmlns:v=', 'xmlns:o=', 'xmlns:x='].every((name) => head.includes(name))
    ? xml
    : xml.replaceAll('<v:shape ', `<v:shape ${BEGIN.slice('<xml '.length, -1)}`);
}

function withoutShapes(drawing: string, removed: ReadonlySet<string>): string {
  return drawing.replace(/<v:shape\s[^>]*>[\s\S]*?<\/v:shape>\s*/g, (shape) => {
    const row = /<x:Row>\s*(\d+)/.exec(shape)?.[1];
    const column = /<x:Column>\s*(\d+)/.exec(shape)?.[1];
    return /ObjectType="Note"/.test(shape) && removed.has(`${row},${column}`) ? '' : shape;
  });
}

function shapes(places: readonly ShapePlace[], firstId: number): string {
  return places.map((place, at) => shape(place, firstId + at)).join('');
}

function shape({ row, column }: ShapePlace, id: number): string {
  const top = Math.max(0, row - 1);
  const anchor = [column + 1, 15, top, 10, column + 1 + WIDTH, 15, top + HEIGHT, 4].join(', ');
  const look = 'style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"';
  const data = `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData>`;
  return `<v:shape id="_x0000_s${id}" type="#_x0000_t202" ${look}><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox><div style="text-align:left"></div></v:textbox>${data}</v:shape>`;
}
