import { createHash } from 'node:crypto';
import { LOOK_CSS } from './look.ts';
import { PICTURES_CSS } from './pictures.ts';

/** How the report is laid out, beside what it has in common with the page. */
const REPORT_CSS = `
.sheet{max-width:var(--width);margin:0 auto;padding:var(--s12) var(--s6) var(--s12);display:grid;grid-template-columns:minmax(0,1fr);gap:var(--s12)}
.sheet>section,.pair>section{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--s4);align-content:start}
.intro{display:grid;gap:var(--s4)}
.intro .lead{font-size:var(--fs-16);display:grid;gap:var(--s2)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:var(--s4) var(--s6)}
.facts dt{font-size:var(--fs-12);color:var(--ink-2)}
.facts dd{overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(28rem,100%),1fr));gap:var(--s6)}
.pair>section{grid-template-rows:auto 1fr}
.pair>.card{align-self:start}
.need{border-left:4px solid var(--warn)}
.group{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--s3)}
.card>.group+*{margin-top:var(--s6);padding-top:var(--s6);border-top:1px solid var(--line)}
.group h3{display:flex;flex-wrap:wrap;align-items:center;gap:var(--s2) var(--s3)}
.group h3 .count{font-weight:400;color:var(--ink-2)}
.choices{display:grid;gap:var(--s3)}
.choices li{display:grid;gap:var(--s1)}
.choices p{max-width:none}
.named{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));gap:0 var(--s12)}
.named li{padding:var(--s1) 0;display:flex;flex-wrap:wrap;gap:0 var(--s3);justify-content:space-between}
.named .row{color:var(--ink-2)}
.need .account{min-width:8rem}
.scroll{--shade:color-mix(in srgb,var(--ink) 20%,transparent);background:linear-gradient(to right,var(--surface) 35%,transparent) 0 0/2.5rem 100% no-repeat local,linear-gradient(to left,var(--surface) 35%,transparent) 100% 0/2.5rem 100% no-repeat local,linear-gradient(to right,var(--shade),transparent) 0 0/.75rem 100% no-repeat scroll,linear-gradient(to left,var(--shade),transparent) 100% 0/.75rem 100% no-repeat scroll,var(--surface)}
.scroll time{white-space:nowrap}
.scroll .long{min-width:16rem}
.table{padding:var(--s3) var(--s3) 0}
.table tbody tr:last-child>*{border-bottom:0}
.rows{font-size:.875rem}
.rows .to{min-width:10.5rem}
.rows .why .id{display:block}
.rows .payee{min-width:9rem;overflow-wrap:anywhere}
.rows .why{min-width:11rem}
.rows .when{white-space:nowrap}
.rows tr{break-inside:avoid}
.rows .soft{display:block;font-size:var(--fs-12)}
.rows tbody tr:hover{background:var(--sunken)}
.proof{display:grid;gap:var(--s4);padding-top:var(--s6);border-top:1px solid var(--line)}
@media (max-width:46rem){
.sheet{padding:var(--s6) var(--s4) var(--s12);gap:var(--s8)}
h1{font-size:1.625rem}
.card{padding:var(--s4)}
.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.rows,.rows tbody{display:block}
.rows .payee,.rows .to,.rows .why{min-width:0;overflow-wrap:anywhere}
.rows tr{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:var(--s1) var(--s4);padding:var(--s3) 0;border-bottom:1px solid var(--line)}
.rows tr:last-child{border-bottom:0}
.rows th,.rows td{padding:0;border:0}
.rows .to,.rows .fee,.rows .when,.rows .why{font-size:var(--fs-12);color:var(--ink-2)}
.rows .at::before{content:attr(data-label) " "}
.rows .at{order:1;grid-column:1/-1;font-size:var(--fs-12);color:var(--ink-2);text-align:left}
.rows .payee{order:2}.rows .amount{order:3}.rows .to{order:4}.rows .outcome{order:5;text-align:right}
.rows .fee{order:6}.rows .fee:not(:empty)::before{content:attr(data-label) " "}.rows .fee{text-align:left;white-space:normal}.rows .fee .soft{display:inline}.rows .when{order:7;text-align:right}
.rows .why{order:8;grid-column:1/-1}.rows .fee:empty,.rows .when:empty,.rows .why:empty{display:none}
}
@media print{
.sheet{max-width:none;padding:0;gap:var(--s6)}
.pair{grid-template-columns:1fr 1fr}
.group{break-inside:avoid}
.need{padding-left:var(--s4)}
h2{break-after:avoid}
.table{padding:0}
.scroll .long,.rows .to,.rows .payee,.rows .why{min-width:0}
.scroll time,.rows .when{white-space:normal}
.rows .why{overflow-wrap:anywhere}
th,td{padding:var(--s1) var(--s2)}
.scroll{overflow:visible;background:none}
@page{margin:14mm}
}`;

/** The only style of a report. */
export const STYLE = [LOOK_CSS, PICTURES_CSS, REPORT_CSS].join('\n');

/** Nothing is loaded, run or sent, and no other style than this one holds, whatever stands in a cell. */
export const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;
