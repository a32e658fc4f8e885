// Over 250 lines: because it is one table of 249 countries.

/**
 * What a country is called in English, German, French, Spanish, Portuguese, Italian, Dutch and Polish: its alpha-2 and
 * alpha-3 codes of ISO 3166-1, then its names, the English one first. The names are those of the Unicode CLDR 48, without
 * the few that are as short as a code, and beside them older and official ones that people write. A name that could be
 * two countries (`Congo`, `Korea`) is in none: `SHARED_NAMES` has those. A line that begins with blanks goes on from the
 * one before.
 */
export const COUNTRY_TABLE = `
AD AND Andorra|Andorre|Andora
AE ARE United Arab Emirates|Vereinigte Arabische Emirate|Émirats arabes unis|Emiratos Árabes Unidos|
  Emirados Árabes Unidos|Emirati Arabi Uniti|Verenigde Arabische Emiraten|Zjednoczone Emiraty Arabskie|UAE|VAE
AF AFG Afghanistan|Afganistán|Afeganistão
AG ATG Antigua & Barbuda|Antigua and Barbuda|Antigua und Barbuda|Antigua-et-Barbuda|Antigua y Barbuda|
  Antígua e Barbuda|Antigua en Barbuda|Antigua i Barbuda
AI AIA Anguilla|Anguila
AL ALB Albania|Albanien|Albanie
AM ARM Armenia|Armenien|Arménie
AO AGO Angola
AQ ATA Antarctica|Antarktis|Antarctique|Antártida|Antartide|Antarktyda
AR ARG Argentina|Argentinien|Argentine|Argentinië|Argentyna
AS ASM American Samoa|Amerikanisch-Samoa|Samoa américaines|Samoa Americana|Samoa Americane|Amerikaans-Samoa|
  Samoa Amerykańskie
AT AUT Austria|Österreich|Autriche|Oostenrijk
AU AUS Australia|Australien|Australie
AW ABW Aruba
AX ALA Åland Islands|Ålandinseln|Îles Åland|Islas Aland|Ilhas Aland|Alanda|Isole Åland|Åland|Wyspy Alandzkie
AZ AZE Azerbaijan|Aserbaidschan|Azerbaïdjan|Azerbaiyán|Azerbaijão|Azerbaigian|Azerbeidzjan|Azerbejdżan
BA BIH Bosnia & Herzegovina|Bosnia and Herzegovina|Bosnia|Bosnien und Herzegowina|Bosnie-Herzégovine|
  Bosnia y Herzegovina|Bósnia e Herzegovina|Bosnia ed Erzegovina|Bosnië en Herzegovina|Bośnia i Hercegowina
BB BRB Barbados|Barbade
BD BGD Bangladesh|Bangladesch|Bangladés|Bangladeche|Bangladesz
BE BEL Belgium|Belgien|Belgique|Bélgica|Belgio|België|Belgia
BF BFA Burkina Faso|Burquina Faso
BG BGR Bulgaria|Bulgarien|Bulgarie|Bulgarije
BH BHR Bahrain|Bahreïn|Baréin|Barém|Bahrajn
BI BDI Burundi
BJ BEN Benin|Benim
BL BLM St. Barthélemy|Saint Barthélemy|San Bartolomé|São Bartolomeu
BM BMU Bermuda|Bermudes|Bermudas|Bermudy
BN BRN Brunei|Brunei Darussalam
BO BOL Bolivia|Bolivien|Bolivie|Boliwia
BQ BES Caribbean Netherlands|Karibische Niederlande|Pays-Bas caribéens|Caribe neerlandés|Países Baixos Caribenhos|
  Caraibi Olandesi|Caribisch Nederland|Niderlandy Karaibskie
BR BRA Brazil|Brasilien|Brésil|Brasil|Brasile|Brazilië|Brazylia
BS BHS Bahamas|Baamas|Bahamy|The Bahamas
BT BTN Bhutan|Bhoutan|Bután|Butão
BV BVT Bouvet Island|Bouvetinsel|Île Bouvet|Isla Bouvet|Ilha Bouvet|Isola Bouvet|Bouveteiland|Wyspa Bouveta
BW BWA Botswana|Botsuana
BY BLR Belarus|Biélorussie|Bielorrusia|Bielorrússia|Bielorussia|Białoruś|Weißrussland|Wit-Rusland
BZ BLZ Belize|Belice
CA CAN Canada|Kanada
CC CCK Cocos (Keeling) Islands|Cocos Islands|Kokosinseln|Îles Cocos|Islas Cocos|Ilhas Cocos (Keeling)|Ilhas Cocos|
  Ilhas dos Cocos (Keeling)|Ilhas dos Cocos|Isole Cocos (Keeling)|Isole Cocos|Cocoseilanden|Wyspy Kokosowe
CD COD Congo - Kinshasa|Kongo-Kinshasa|República Democrática del Congo|Demokratyczna Republika Konga|
  Democratic Republic of the Congo|DR Congo|DRC|Demokratische Republik Kongo|DR Kongo|
  République démocratique du Congo|RD Congo|República Democrática do Congo|Repubblica Democratica del Congo|
  Democratische Republiek Congo
CF CAF Central African Republic|Zentralafrikanische Republik|République centrafricaine|República Centroafricana|
  Repubblica Centrafricana|Centraal-Afrikaanse Republiek|Republika Środkowoafrykańska
CG COG Congo - Brazzaville|Kongo-Brazzaville|República do Congo|Republic of the Congo|Republik Kongo|
  République du Congo|República del Congo|Repubblica del Congo|Republiek Congo|Republika Konga
CH CHE Switzerland|Schweiz|Suisse|Suiza|Suíça|Svizzera|Zwitserland|Szwajcaria
CI CIV Côte d'Ivoire|Costa do Marfim|Côte d'Ivoire (Costa do Marfim)|Costa d'Avorio|Ivoorkust|Ivory Coast|
  Elfenbeinküste|Costa de Marfil|Wybrzeże Kości Słoniowej
CK COK Cook Islands|Cookinseln|Îles Cook|Islas Cook|Ilhas Cook|Isole Cook|Cookeilanden|Wyspy Cooka
CL CHL Chile|Chili|Cile
CM CMR Cameroon|Kamerun|Cameroun|Camerún|Camarões|Kameroen
CN CHN China|Chine|Cina|Chiny|People's Republic of China|Volksrepublik China|PR China
CO COL Colombia|Kolumbien|Colombie|Kolumbia
CR CRI Costa Rica|Kostaryka
CU CUB Cuba|Kuba
CV CPV Cape Verde|Cabo Verde|Cap-Vert|Capo Verde|Kaapverdië|Republika Zielonego Przylądka
CW CUW Curaçao|Curazao|Curaçau
CX CXR Christmas Island|Weihnachtsinsel|Île Christmas|Isla de Navidad|Ilha Christmas|Ilha do Natal|Isola Christmas|
  Christmaseiland|Wyspa Bożego Narodzenia
CY CYP Cyprus|Zypern|Chypre|Chipre|Cipro|Cypr
CZ CZE Czechia|Tschechien|Tchéquie|Chequia|Tchéquia|Cechia|Tsjechië|Czechy|Czech Republic|Tschechische Republik|
  République tchèque|República Checa|República Tcheca|Repubblica Ceca|Tsjechische Republiek|Republika Czeska
DE DEU Germany|Deutschland|Allemagne|Alemania|Alemanha|Germania|Duitsland|Niemcy|Federal Republic of Germany|
  Bundesrepublik Deutschland|BRD
DJ DJI Djibouti|Dschibuti|Yibuti|Djibuti|Jibuti|Gibuti|Dżibuti
DK DNK Denmark|Dänemark|Dinamarca|Danimarca|Denemarken|Dania
DM DMA Dominica|Dominique|Dominika
DO DOM Dominican Republic|Dominikanische Republik|République dominicaine|República Dominicana|Repubblica Dominicana|
  Dominicaanse Republiek|Dominikana
DZ DZA Algeria|Algerien|Algérie|Argelia|Algerije|Algieria
EC ECU Ecuador|Équateur|Equador|Ekwador
EE EST Estonia|Estland|Estonie
EG EGY Egypt|Ägypten|Égypte|Egipto|Egito|Egitto|Egipt
EH ESH Western Sahara|Westsahara|Sahara occidental|Saara Ocidental|Sara Ocidental|Sahara Occidentale|
  Westelijke Sahara|Sahara Zachodnia
ER ERI Eritrea|Érythrée|Eritreia|Erytrea
ES ESP Spain|Spanien|Espagne|España|Espanha|Spagna|Spanje|Hiszpania
ET ETH Ethiopia|Äthiopien|Éthiopie|Etiopía
FI FIN Finland|Finnland|Finlande|Finlandia
FJ FJI Fiji|Fidschi|Fidji|Fiyi|Figi|Fidżi
FK FLK Falkland Islands|Falklandinseln|Îles Malouines|Islas Malvinas|Ilhas Malvinas|Ilhas Falkland|Isole Falkland|
  Falklandeilanden|Falklandy|Falklands|Islas Falkland|Îles Falkland
FM FSM Micronesia|Mikronesien|Micronésie|Mikronezja
FO FRO Faroe Islands|Färöer|Îles Féroé|Islas Feroe|Ilhas Faroé|Isole Fær Øer|Faeröer|Wyspy Owcze
FR FRA France|Frankreich|Francia|França|Frankrijk|Francja
GA GAB Gabon|Gabun|Gabão
GB GBR United Kingdom|UK|Vereinigtes Königreich|Royaume-Uni|Reino Unido|Regno Unito|Verenigd Koninkrijk|
  Wielka Brytania|Wlk. Bryt.|Great Britain|Britain|United Kingdom of Great Britain and Northern Ireland|England|
  Scotland|Wales|Northern Ireland|Großbritannien|Grande-Bretagne|Gran Bretaña|Grã-Bretanha|Gran Bretagna|
  Groot-Brittannië|Zjednoczone Królestwo
GD GRD Grenada|Grenade|Granada
GE GEO Georgia|Georgien|Géorgie|Gruzja
GF GUF French Guiana|Französisch-Guayana|Guyane française|Guayana Francesa|Guiana Francesa|Guyana Francese|
  Frans-Guyana|Gujana Francuska
GG GGY Guernsey|Guernesey
GH GHA Ghana|Gana
GI GIB Gibraltar|Gibilterra
GL GRL Greenland|Grönland|Groenland|Groenlandia|Gronelândia|Grenlandia
GM GMB Gambia|Gambie|The Gambia
GN GIN Guinea|Guinée|Guiné|Gwinea
GP GLP Guadeloupe|Guadalupe|Guadalupa|Gwadelupa
GQ GNQ Equatorial Guinea|Äquatorialguinea|Guinée équatoriale|Guinea Ecuatorial|Guiné Equatorial|Guinea Equatoriale|
  Equatoriaal-Guinea|Gwinea Równikowa
GR GRC Greece|Griechenland|Grèce|Grecia|Griekenland|Grecja
GS SGS South Georgia & South Sandwich Islands|South Georgia and South Sandwich Islands|
  Südgeorgien und die Südlichen Sandwichinseln|Géorgie du Sud-et-les Îles Sandwich du Sud|
  Islas Georgia del Sur y Sandwich del Sur|Ilhas Geórgia do Sul e Sandwich do Sul|Georgia del Sud e Sandwich Australi|
  Zuid-Georgia en Zuidelijke Sandwicheilanden|Georgia Południowa i Sandwich Południowy
GT GTM Guatemala|Gwatemala
GU GUM Guam|Guame
GW GNB Guinea-Bissau|Guinée-Bissau|Guinea-Bisáu|Guiné-Bissau|Gwinea Bissau
GY GUY Guyana|Guiana|Gujana
HK HKG Hong Kong SAR China|Hong Kong|Sonderverwaltungsregion Hongkong|R.A.S. chinoise de Hong Kong|
  RAE de Hong Kong (China)|RAE de Hong Kong|Hong Kong, RAE da China|RAS di Hong Kong|Hongkong SAR van China|
  SRA Hongkong (Chiny)|SRA Hongkong
HM HMD Heard & McDonald Islands|Heard and McDonald Islands|Heard und McDonaldinseln|Îles Heard-et-MacDonald|
  Islas Heard y McDonald|Ilhas Heard e McDonald|Isole Heard e McDonald|Heard en McDonaldeilanden|
  Wyspy Heard i McDonalda
HN HND Honduras
HR HRV Croatia|Kroatien|Croatie|Croacia|Croazia|Kroatië|Chorwacja
HT HTI Haiti
HU HUN Hungary|Ungarn|Hongrie|Hungría|Ungheria|Hongarije|Węgry
ID IDN Indonesia|Indonesien|Indonésie|Indonezja
IE IRL Ireland|Irland|Irlande|Irlanda|Ierland|Irlandia|Republic of Ireland|Éire
IL ISR Israel|Israele|Izrael
IM IMN Isle of Man|Île de Man|Isla de Man|Ilha de Man|Isola di Man|Wyspa Man
IN IND India|Indien|Inde|Indie
IO IOT British Indian Ocean Territory|Britisches Territorium im Indischen Ozean|
  Territoire britannique de l'océan Indien|Territorio Británico del Océano Índico|
  Território Britânico do Oceano Índico|Territorio Britannico dell'Oceano Indiano|Brits Indische Oceaanterritorium|
  Brytyjskie Terytorium Oceanu Indyjskiego
IQ IRQ Iraq|Irak|Iraque
IR IRN Iran|Irã|Irão|Islamic Republic of Iran
IS ISL Iceland|Island|Islande|Islandia|Islanda|IJsland
IT ITA Italy|Italien|Italie|Italia|Włochy
JE JEY Jersey
JM JAM Jamaica|Jamaika|Jamaïque|Giamaica|Jamajka
JO JOR Jordan|Jordanien|Jordanie|Jordania|Giordania
JP JPN Japan|Japon|Japão|Giappone|Japonia
KE KEN Kenya|Kenia|Quênia
KG KGZ Kyrgyzstan|Kirgisistan|Kirghizstan|Kirguistán|Quirguistão|Kirghizistan|Kirgizië|Kirgistan
KH KHM Cambodia|Kambodscha|Cambodge|Camboya|Camboja|Cambogia|Cambodja|Kambodża
KI KIR Kiribati|Quiribati
KM COM Comoros|Komoren|Comores|Comoras|Comore|Comoren|Komory
KN KNA St. Kitts & Nevis|St. Kitts and Nevis|Saint Kitts & Nevis|Saint Kitts and Nevis|St. Kitts und Nevis|
  Saint Kitts und Nevis|Saint-Christophe-et-Niévès|San Cristóbal y Nieves|São Cristóvão e Névis|São Cristóvão e Neves|
  Saint Kitts e Nevis|Saint Kitts en Nevis|Saint Kitts i Nevis
KP PRK North Korea|Nordkorea|Corée du Nord|Corea del Norte|Coreia do Norte|Corea del Nord|Noord-Korea|Korea Północna|
  Democratic People's Republic of Korea
KR KOR South Korea|Südkorea|Corée du Sud|Corea del Sur|Coreia do Sul|Corea del Sud|Zuid-Korea|Korea Południowa|
  Republic of Korea|Republik Korea
KW KWT Kuwait|Koweït|Koeweit|Kuwejt
KY CYM Cayman Islands|Kaimaninseln|Îles Caïmans|Islas Caimán|Ilhas Cayman|Ilhas Caimão|Isole Cayman|Kaaimaneilanden|
  Kajmany
KZ KAZ Kazakhstan|Kasachstan|Kazajistán|Cazaquistão|Kazakistan|Kazachstan
LA LAO Laos|Lao PDR
LB LBN Lebanon|Libanon|Liban|Líbano
LC LCA St. Lucia|Saint Lucia|Sainte-Lucie|Santa Lucía
LI LIE Liechtenstein|Listenstaine
LK LKA Sri Lanka|Sri Lanca
LR LBR Liberia
LS LSO Lesotho|Lesoto
LT LTU Lithuania|Litauen|Lituanie|Lituania|Litouwen|Litwa
LU LUX Luxembourg|Luxemburg|Luxemburgo|Lussemburgo|Luksemburg
LV LVA Latvia|Lettland|Lettonie|Letonia|Lettonia|Letland|Łotwa
LY LBY Libya|Libyen|Libye|Libia|Libië
MA MAR Morocco|Marokko|Maroc|Marruecos|Marrocos|Marocco|Maroko
MC MCO Monaco|Monako
MD MDA Moldova|Republik Moldau|Moldavie|Moldavia|Mołdawia|Moldawien|Republic of Moldova|República da Moldávia
ME MNE Montenegro|Czarnogóra
MF MAF St. Martin|Saint Martin|San Martín|São Martinho|São Martinho (Saint-Martin)
MG MDG Madagascar|Madagaskar
MH MHL Marshall Islands|Marshallinseln|Îles Marshall|Islas Marshall|Ilhas Marshall|Isole Marshall|Marshalleilanden|
  Wyspy Marshalla
MK MKD North Macedonia|Nordmazedonien|Macédoine du Nord|Macedonia del Norte|Macedônia do Norte|Macedonia del Nord|
  Noord-Macedonië|Macedonia Północna|Macedonia|Mazedonien|Macédoine|Macedonië
ML MLI Mali
MM MMR Myanmar (Burma)|Myanmar|Myanmar (Birmanie)|Myanmar (Birmania)|Mianmar (Birmânia)|Mianmar|Myanmar (Birma)|
  Mjanma (Birma)|Mjanma|Burma|Birma|Birmanie|Birmania
MN MNG Mongolia|Mongolei|Mongolie
MO MAC Macao SAR China|Macao|Sonderverwaltungsregion Macau|Macau|R.A.S. chinoise de Macao|RAE de Macao (China)|
  RAE de Macao|Macau, RAE da China|RAS di Macao|Macau SAR van China|SRA Makau (Chiny)|SRA Makau|Makau
MP MNP Northern Mariana Islands|Nördliche Marianen|Îles Mariannes du Nord|Islas Marianas del Norte|
  Ilhas Marianas do Norte|Isole Marianne Settentrionali|Noordelijke Marianen|Mariany Północne
MQ MTQ Martinique|Martinica|Martynika
MR MRT Mauritania|Mauretanien|Mauritanie|Mauretania
MS MSR Montserrat|Monserrate
MT MLT Malta|Malte
MU MUS Mauritius|Maurice|Mauricio|Maurícia
MV MDV Maldives|Malediven|Maldivas|Maldive|Maldiven|Malediwy
MW MWI Malawi|Malaui
MX MEX Mexico|Mexiko|Mexique|Messico|Meksyk
MY MYS Malaysia|Malaisie|Malasia|Maleisië|Malezja
MZ MOZ Mozambique|Mosambik|Moçambique|Mozambico|Mozambik
NA NAM Namibia|Namibie
NC NCL New Caledonia|Neukaledonien|Nouvelle-Calédonie|Nueva Caledonia|Nova Caledônia|Nuova Caledonia|Nieuw-Caledonië|
  Nowa Kaledonia
NE NER Niger
NF NFK Norfolk Island|Norfolkinsel|Île Norfolk|Isla Norfolk|Ilha Norfolk|Isola Norfolk|Norfolk
NG NGA Nigeria
NI NIC Nicaragua|Nikaragua
NL NLD Netherlands|Niederlande|Pays-Bas|Países Bajos|Países Baixos|Paesi Bassi|Nederland|Holandia|The Netherlands|
  Holland|Hollande|Holanda|Olanda
NO NOR Norway|Norwegen|Norvège|Noruega|Norvegia|Noorwegen|Norwegia
NP NPL Nepal
NR NRU Nauru
NU NIU Niue
NZ NZL New Zealand|Neuseeland|Nouvelle-Zélande|Nueva Zelanda|Nova Zelândia|Nuova Zelanda|Nieuw-Zeeland|Nowa Zelandia
OM OMN Oman|Omã
PA PAN Panama
PE PER Peru|Pérou
PF PYF French Polynesia|Französisch-Polynesien|Polynésie française|Polinesia Francesa|Polinesia Francese|
  Frans-Polynesië|Polinezja Francuska
PG PNG Papua New Guinea|Papua-Neuguinea|Papouasie-Nouvelle-Guinée|Papúa Nueva Guinea|Papua-Nova Guiné|
  Papua Nuova Guinea|Papoea-Nieuw-Guinea|Papua-Nowa Gwinea
PH PHL Philippines|Philippinen|Filipinas|Filippine|Filipijnen|Filipiny|The Philippines
PK PAK Pakistan|Paquistão
PL POL Poland|Polen|Pologne|Polonia|Polska
PM SPM St. Pierre & Miquelon|St. Pierre and Miquelon|Saint Pierre & Miquelon|Saint Pierre and Miquelon|
  St. Pierre und Miquelon|Saint Pierre und Miquelon|Saint-Pierre-et-Miquelon|San Pedro y Miquelón|
  São Pedro e Miquelão|Saint-Pierre e Miquelon|Saint-Pierre en Miquelon|Saint-Pierre i Miquelon
PN PCN Pitcairn Islands|Pitcairn|Pitcairninseln|Îles Pitcairn|Islas Pitcairn|Ilhas Pitcairn|Isole Pitcairn|
  Pitcairneilanden
PR PRI Puerto Rico|Porto Rico|Portoryko
PS PSE Palestinian Territories|Palestine|Palästinensische Autonomiegebiete|Palästina|Territoires palestiniens|
  Territorios Palestinos|Palestina|Territórios palestinianos|Territori Palestinesi|Palestijnse gebieden|
  Terytoria Palestyńskie|Palestyna|State of Palestine
PT PRT Portugal|Portogallo|Portugalia
PW PLW Palau|Palaos
PY PRY Paraguay|Paraguai|Paragwaj
QA QAT Qatar|Katar|Catar
RE REU Réunion|La Réunion|Reunião|Riunione
RO ROU Romania|Rumänien|Roumanie|Rumanía|Romênia|Roemenië|Rumunia
RS SRB Serbia|Serbien|Serbie|Sérvia|Servië
RU RUS Russia|Russland|Russie|Rusia|Rusland|Rosja|Russian Federation|Russische Föderation|Fédération de Russie|
  Federación de Rusia|Federação Russa|Federazione Russa|Russische Federatie|Federacja Rosyjska
RW RWA Rwanda|Ruanda
SA SAU Saudi Arabia|Saudi-Arabien|Arabie saoudite|Arabia Saudí|Arábia Saudita|Saoedi-Arabië|Arabia Saudyjska
SB SLB Solomon Islands|Salomonen|Îles Salomon|Islas Salomón|Ilhas Salomão|Isole Salomone|Salomonseilanden|
  Wyspy Salomona
SC SYC Seychelles|Seychellen|Seicheles|Seszele
SD SDN Sudan|Soudan|Sudão|Soedan
SE SWE Sweden|Schweden|Suède|Suecia|Svezia|Zweden|Szwecja
SG SGP Singapore|Singapur|Singapour|Singapura
SH SHN St. Helena|Saint Helena|Sainte-Hélène|Santa Elena|Santa Helena|Sant'Elena|Sint-Helena|Wyspa Świętej Heleny
SI SVN Slovenia|Slowenien|Slovénie|Eslovenia|Słowenia
SJ SJM Svalbard & Jan Mayen|Svalbard and Jan Mayen|Spitzbergen und Jan Mayen|Svalbard et Jan Mayen|
  Svalbard y Jan Mayen|Svalbard e Jan Mayen|Spitsbergen en Jan Mayen|Svalbard i Jan Mayen
SK SVK Slovakia|Slowakei|Slovaquie|Eslovaquia|Slovacchia|Slowakije|Słowacja
SL SLE Sierra Leone|Sierra Leona|Serra Leoa
SM SMR San Marino|Saint-Marin|São Marinho
SN SEN Senegal
SO SOM Somalia|Somalie
SR SUR Suriname|Surinam
SS SSD South Sudan|Südsudan|Soudan du Sud|Sudán del Sur|Sudão do Sul|Zuid-Soedan|Sudan Południowy
ST STP São Tomé & Príncipe|São Tomé and Príncipe|São Tomé und Príncipe|Sao Tomé-et-Principe|Santo Tomé y Príncipe|
  São Tomé e Príncipe|Sao Tomé en Principe|Wyspy Świętego Tomasza i Książęca
SV SLV El Salvador|Salvador|Salwador
SX SXM Sint Maarten|Saint-Martin (partie néerlandaise)|São Martinho (Sint Maarten)
SY SYR Syria|Syrien|Syrie|Siria
SZ SWZ Eswatini|Esuatini|Essuatíni|Swaziland|Swasiland|Suazilandia|Swazilândia
TC TCA Turks & Caicos Islands|Turks and Caicos Islands|Turks- und Caicosinseln|Îles Turques-et-Caïques|
  Islas Turcas y Caicos|Ilhas Turcas e Caicos|Isole Turks e Caicos|Turks- en Caicoseilanden|Turks i Caicos
TD TCD Chad|Tschad|Tchad|Chade|Ciad|Tsjaad|Czad
TF ATF French Southern Territories|Französische Süd- und Antarktisgebiete|Terres australes françaises|
  Territorios Australes Franceses|Territórios Franceses do Sul|Territórios Austrais Franceses|Terre Australi Francesi|
  Franse Gebieden in de zuidelijke Indische Oceaan|Francuskie Terytoria Południowe i Antarktyczne
TG TGO Togo
TH THA Thailand|Thaïlande|Tailandia|Thailandia|Tajlandia
TJ TJK Tajikistan|Tadschikistan|Tadjikistan|Tayikistán|Tadjiquistão|Tajiquistão|Tagikistan|Tadzjikistan|Tadżykistan
TK TKL Tokelau|Toquelau
TL TLS Timor-Leste|Timor oriental|Timor Est|Oost-Timor|Timor Wschodni|East Timor|Osttimor
TM TKM Turkmenistan|Turcomenistão|Turquemenistão
TN TUN Tunisia|Tunesien|Tunisie|Túnez|Tunesië|Tunezja
TO TON Tonga
TR TUR Türkiye|Türkei|Turquie|Turquía|Turchia|Turkije|Turcja|Turkey
TT TTO Trinidad & Tobago|Trinidad and Tobago|Trinidad und Tobago|Trinité-et-Tobago|Trinidad y Tobago|
  Trinidad e Tobago|Trindade e Tobago|Trinidad en Tobago|Trynidad i Tobago
TV TUV Tuvalu
TW TWN Taiwan|Tajwan
TZ TZA Tanzania|Tansania|Tanzanie|United Republic of Tanzania
UA UKR Ukraine|Ucrania|Ucraina|Oekraïne|Ukraina
UG UGA Uganda|Ouganda|Oeganda
UM UMI U.S. Outlying Islands|Amerikanische Überseeinseln|Îles mineures éloignées des États-Unis|
  Islas menores alejadas de EE. UU.|Ilhas Menores Distantes dos EUA|Ilhas Menores Afastadas dos EUA|
  Isole Minori Esterne degli Stati Uniti|Kleine afgelegen eilanden van de Verenigde Staten|
  Dalekie Wyspy Mniejsze Stanów Zjednoczonych
US USA United States|US|Vereinigte Staaten|USA|États-Unis|Estados Unidos|EE. UU.|EUA|Stati Uniti|Verenigde Staten|
  Stany Zjednoczone|United States of America|Vereinigte Staaten von Amerika|États-Unis d'Amérique|
  Estados Unidos de América|Estados Unidos da América|Stati Uniti d'America|Verenigde Staten van Amerika|
  Stany Zjednoczone Ameryki
UY URY Uruguay|Uruguai|Urugwaj
UZ UZB Uzbekistan|Usbekistan|Ouzbékistan|Uzbequistão|Usbequistão|Oezbekistan
VA VAT Vatican City|Vatikanstadt|État de la Cité du Vatican|Ciudad del Vaticano|Cidade do Vaticano|Città del Vaticano|
  Vaticaanstad|Watykan|Vatican|Holy See|Vatikan|Vaticano|Vaticaan
VC VCT St. Vincent & Grenadines|St. Vincent and Grenadines|Saint Vincent & Grenadines|Saint Vincent and Grenadines|
  St. Vincent und die Grenadinen|Saint Vincent und die Grenadinen|Saint-Vincent-et-les Grenadines|
  San Vicente y las Granadinas|São Vicente e Granadinas|Saint Vincent e Grenadine|Saint Vincent en de Grenadines|
  Saint Vincent i Grenadyny
VE VEN Venezuela|Wenezuela
VG VGB British Virgin Islands|Britische Jungferninseln|Îles Vierges britanniques|Islas Vírgenes Británicas|
  Ilhas Virgens Britânicas|Isole Vergini Britanniche|Britse Maagdeneilanden|Brytyjskie Wyspy Dziewicze
VI VIR U.S. Virgin Islands|Amerikanische Jungferninseln|Îles Vierges des États-Unis|Islas Vírgenes de EE. UU.|
  Ilhas Virgens Americanas|Ilhas Virgens dos EUA|Isole Vergini Americane|Amerikaanse Maagdeneilanden|
  Wyspy Dziewicze Stanów Zjednoczonych
VN VNM Vietnam|Vietnã|Vietname|Wietnam
VU VUT Vanuatu
WF WLF Wallis & Futuna|Wallis and Futuna|Wallis und Futuna|Wallis-et-Futuna|Wallis y Futuna|Wallis e Futuna|
  Wallis en Futuna|Wallis i Futuna
WS WSM Samoa
YE YEM Yemen|Jemen|Iêmen
YT MYT Mayotte|Maiote|Majotta
ZA ZAF South Africa|Südafrika|Afrique du Sud|Sudáfrica|África do Sul|Zuid-Afrika|Republika Południowej Afryki|RSA
ZM ZMB Zambia|Sambia|Zambie
ZW ZWE Zimbabwe|Simbabwe|Zimbabue
`;

/** Names that are those of two countries, by the codes of both. */
export const SHARED_NAMES: Readonly<Record<string, readonly string[]>> = {
  Congo: ['CD', 'CG'],
  Kongo: ['CD', 'CG'],
  Korea: ['KP', 'KR'],
  Corée: ['KP', 'KR'],
  Corea: ['KP', 'KR'],
  Coreia: ['KP', 'KR'],
  'Virgin Islands': ['VG', 'VI'],
  Jungferninseln: ['VG', 'VI'],
};
