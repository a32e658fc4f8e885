/** Made by test/input/encodings/make-letter-statistics.ts from the names of @faker-js/faker (MIT) and lists of our own. */

/** A language whose names are known by their letters. */
export type NameLanguage = keyof typeof LETTER_STATISTICS | keyof typeof IDEOGRAPHS;

/**
 * The letters beyond ASCII in names of each language, between their neighbours (`^` and `$` are begin and end of a word):
 * those of one name, of two or three, of four to seven, and so on, divided by `/`.
 */
export const LETTER_STATISTICS = {
  cs: `
    ^áb ^ám báš eát eáš fác gál gát hám hát jác lál lán má$ máj nám pád ráň sáb sám sár sáv táv táň záv zář šár ťán
    cés céz dél féb fél géz ké$ két léd lén lér méd mél mér né$ nél néz réc rél rét véf bí$ cíl jí$ míl nín pín vír
    zín čís kód lón lór rón róz tól tón ^úd ^ún dúz rút dýn lýd mý$ ným tý$ týl ač$ ačo jče jčk jčo lče lčk nča nčo
    očí pč$ uča učo vč$ íč$ ěče ěčk ůče ůčk aďa uďk běn bět děj děn děp děž měj něh něn těš věs aňa aňo oňa yňk ůňk
    eřa eřo hři iři ořk ořo pře tře tři vři aša išť jš$ jšo lše lšk nš$ nšo rši ršu yše yšp yšt íša ěšk ůša ůšo aťá
    lů$ nů$ rů$ tů$ tůn tůň gűn ^žo ažk lžb ožk rž$ ržo áž$ ážo íž$ ížo ěžd ůžk / ^ár bá$ bár bář cák dá$ dák dám dáč
    fář gáb háj ház ján jáč kác kád kál kán kár káč káň láb lác lár láž mác mád mál már mát máč mář nác nár náz pár
    pát rá$ ráb rám ráž ság tá$ táb táh tál tán tár tás táč váb vág vál váv váň yáš záb zál zám zán zár záč čáp čás
    ďár řák řáč ťál žáč dém lém mék mén réd bík bír bíč cís díl gín jíc jíl jír líb líc lív líř míd mík ní$ ríd rín
    síc sík tík tíš víc víl víč víš zík čí$ čír číž ří$ řín řís říč říš ší$ ším šír šíč žíd žík žíš tót böh mül bý$
    dý$ hýb nýz rý$ rýd sýk výp ^čo ^ču ^čí ače ači ačk ačí eča eči ečv kč$ lčo mčí nču oče rčm rčí učí včí yčk áči
    úče účt žďá běl běs děd děk dět měn něv něč těr těz věd věr věz věř aňá eňk eňá oňk oňo rňá áňo ^ří bří dře eři
    iří oř$ ořt uří vře vří áří íř$ ířo ěři ^šl ^šn ^šo ^šr ^šá ^šť aš$ ašo ašt ašá eše ešk ešp ešt ešá išo išt jší
    nší oše ošk ošt ošť pše ršá rší uša ušo yša yšk íš$ íše íši íšk íšo šťá hůl ků$ můn růc růz růš tům tůč vůr žůr
    műl ^žd ^ží ^žď ^žů aža aže ažá ež$ eža eže ežk ežo ižk jží ož$ oži ožo uže uži uží vže ážk íže ížk ůže ůži / bán
    bát báč há$ hák hál hán káš lá$ lád láh lák lám lát láv mák máš nák nát náč nář náš páč rác rád rál rás rát ráv
    ráš sák ták táz vák ván vář zák ňák řáb šák šál žák bíl dík fín jíč lím mín píc píš tín vín číř říh říj říz říž
    šík šíp ^úč hý$ lý$ vý$ ^ča ^či ^čá jčí nčí oči očk rčk učk áč$ áčo děl měs něm těc těj těp věn aňk oň$ áňa bře
    dři eřm eřá kře kři kří oře ořá oří pří tří uři ^šk ^šm ^šp ^šu aše ašp aší iš$ iše ošo uš$ vše áše ášk ášo šťa
    růž ^ža ^žá aži ože / háč iáš láč lář láš mán ná$ pán rák rán ráz ráč vác vát váč bín lín líč níč vík vít čík ný$
    eče ečn uče něk vět ^ře ař$ ařo aří oři při ář$ ářo ^ša ^šv ^ší ašk išk ušk ^že ^ži / ká$ lík ník řík ký$ týn ^če
    ečk ičk áče áčk íče íčk ^še ^ši ^št eš$ ešo oš$ uše áš$ / ián mír / / / / vá$`,
  sk: `
    dát dáš eát eáš fác fán gát káš lán láš máj mál már máš nác nám nát náz pád rác ráv tá$ tál tán táv táz zál zár
    vät fél gén lén mén né$ nél réd rél rét réz xén cíl fín gín lím lív míl ríc ríl tíl vír víť čís dón kód mór nór
    rób róz tób tón tór ^úh dúz jún rúd súč túš lýd nýz ^čí ača ačo jči nč$ nčo očn účt eď$ eďo eľo iľj oľg eňa oňa
    aša eš$ iše išt nšt ršu áša ášo úšo ýš$ ýšo eť$ eťo íťa ^ža ^že ^žo ežd ežk lžb ože oži uže áž$ ážo íž$ ížo / dáv
    ján kál kán káč láv láž ná$ náč náš pák rál sák sám sár uár vác záb lér tés tét bín cíg cík dík jíč lín mín níč
    níž ríj rín sík vín vít čír ^úč júl kúš rúp vúk zúb kýš ný$ sýk týs výp ^čo ačá eči ečk ičk jčí nče nčí oči očo
    rčo tče včí áč$ áče áči áčo úče ščá ^ďa aďo dľo eľ$ uľa aňk aňo eňo šňo ^šm ^šv ^šť aše ašo ašč ašť ešk iš$ išk
    išo iší išň oší pší uša íše íšk úš$ sť$ ^ži aže eža jži uži / bár hál lák lár nár ták tár vák váč čák bík lík líš
    rík tín čík šík ^ča ^či eče jčo íče ^ďu ^ši ^šk ^šo ^št ^šu ašk ašp bšu oš$ ošk ošo uš$ ušk ušo áš$ šťa / ián mír
    ník ič$ ičo ^ľu / ká$ ký$ / / / vá$`,
  hu: `
    ^áb ^ác ^ád ^ák ^ál ^áp bár bás dám dás dát dáv eák fáb gáb gál gás hál hár hás jám ján jáz kál lág láh lár máj
    mán nád nán pád pál pár pás rác ráj rál rán rás sám tál tás vác vág váh vák vál vát yár záh zár ^él ^év bél dék
    dél gél géz héd hér kék kén kéz lén lér lés mél nél ném név oém pén rék rés sér ték tén tés zék zén zép zés zét
    ^íc bíb bír cím líz míl sít tíc zít ^ód ^ón ^óz bó$ dóa dór hón jón jóv józ kó$ lór lós món mór nó$ nór oós rób
    ród rók róz sóf sók sós tób tóf tór tót zóf aös böj bök bör dög gör gös jöv köl köv köő löp mös möt röc rök vör
    vös yör zön ^úr gúz jún túr yúl ^ül ^üv düs fül füz kül züc ^ős ^őz bő$ bőd bőg bőh bők bős dőd dőp főz gőc gőg
    gőz hő$ hőg hőn kő$ kőm kős lőc lők lős lőw mők nőf nőm rői rőt sők sős tőc tőf tőz vőf vőn yőz zőc zőg zők zől
    zőn zős zőt öő$ dűs fűr fűt fűz hűv műv rű$ tűh tűr yűj zűc zűr / ^ág bál bán dán kác kán lán láz más mát nár nás
    nát rág sán sár tán uár ván yás ^ér bér fél kés mén més oé$ pét rét té$ tér vér ^íj lív yír gó$ ló$ ró$ ^ör ^ös
    ^öz döm föl kön köz rög zöl ^új júl ^üg ^ür ^őr dő$ fő$ gő$ kőr kőv lő$ lőr rőc rős sőr sőt tők tőr / ^ár ián lás
    már vár zám tó$ rös tör dős nő$ rő$ ső$ tő$ yőr ző$ sűr`,
  ro: `
    câr mân râm sân târ bîr cîm cîr rîp vîl zîn ţîr băd băr băs băt căp cău dă$ dăn dăs făg găi găr hăe lăe lăj lăr
    lău lăz lăţ mă$ măn năt pă$ păc păd păt răm răt să$ săl săn săp săr tăm tăs tăş văc văd văn văt zău zăv ţăr ^şa
    ^şc ^şi ^şu aşa aşo aşt cşu eşa eşi işa oşt oşu uş$ uşa uşi ăşe ^ţa ^ţe ^ţi ^ţo ^ţî ^ţă cţi iţu nţe oţe uţe / câm
    pâr rân vâl ^în băl băn căr făn hăi lă$ lăc lăd măl nă$ năs pău răc răi răz tăţ zăr ^şo aş$ aşi eş$ eşt oşa oşc
    uşc uşo ^ţu iţi uţă / căl căt dăl măd măr ră$ răd răg tă$ tăl tăn ^şe aşc işo oş$ eţ$ eţi nţa ăţi / ţă$ ^şt aţi
    iţa iţă nţi uţ$ uţa / că$`,
  hr: `
    ^će aćm aćo eća eće eći ećk ićd ićj ićl ićo ićv ićđ pći rću ćće ććo šća šće šći ^ču ^čv ačm ačn ačo bče bči ičm
    kču pči učo uču šči ^đi ađ$ ađo ođa ođo ođv rđo uđa uđe ćđo ^šv ašn ešl ešo ešč gša išb išf išp išv išč jš$ jši
    kši lša mša mši nše ošp ošć ošč pši rše ušm ušo ćšt ^žm až$ ažd aži ažo džo ež$ ežd eži ižl ožu užb uži užn zžu /
    ^ćo ićf ićg ićh ićp ićr ićs ićz ićć uća ući aču eča eče ečn jče kče kči mče nču oča očk pče rčm rču uči učk vča
    ^đo ađi eđa rđa rđe uđi vđe ^šm ašo ašp ašt ašć ašč ešk ešt išn išt jša kša nša nšt ošb ošn ošt ošu ršč uš$ ušl
    ćša ćše ^ža ^žg ^žu aža aže dže iža iži ože rža uža / ^ću ać$ aća aće aći ića ićb iće ićk ićm ićš ^če ^či ^čo eči
    iče lče mči nče rča rče rči uča uče vče šča ^đu ađa ađe nđe ^še ^ši ^šp eše išk oša oši ošk pša rša uše ušk ^že
    dža eža rži uže / ač$ ače ačk iča ičk jči nča vči ^đe ^ša ^šo ^št ^šu aš$ aša aše ašk eša eši iša iše iši oš$ oše
    uša uši ^ži oža oži / ^ča ača ači iči nči aši dži / / / / / ić$`,
  sl: `
    ić$ ^če ^čr ač$ ače ačn bči eča ečn ičn mči oče rče vči včn ^ši ^šo ^šp ašo ašp eše ešn iša iše nša oš$ oše ošt
    ršk ušk vše ^ža ^ži nže ož$ uža / ača ači aču ečk iča nči očn aša iža ože oži / ^št až$ / ič$`,
  pl: `
    ^ós bój iór iół kór ków kół lów nóż pól pół póź róc ród rów róz sój wód wóź zół łód iąb iąg kąd kąp ląg mąż rąd
    rąg rąk rąt tąd wąż łąc łąz aćk gęs ię$ ięg ięż nęd pęc sęd sęk zęś łęc łęs ^ły ^łó ^łą ^łę ałg ału ałą ałę dłu
    ełb ełe eło ełł iła iłe mły ołą rło uł$ uła ułe ułk wła ył$ yły zł$ ół$ łło ań$ ańc eńk uń$ ^śc ^śn ^śp ^śr aśl
    aśn eść iśk mśc ośc uś$ uść yś$ ęść aźd dźw oźd óźd óźn ^ży aże aży dż$ dże jże lżb oży uża uży yż$ yża yże óżd
    óżk óży ęża / józ zów żół bąk iąc iąż jąc jąk mąc rąb rąc ząb ząd łąb ^ćw eć$ ięb ięt kęp ręb węg zęb łęb ^ła ^ło
    ała ało bła cła dło gło głą ił$ kła kło oł$ ołt ołę pło yła ółk ółt oń$ aśk eśk iśn oś$ ^źr aźm dź$ oźn ^że ^żm
    ^żó eżn oże óża ąż$ ąże / jóź rób ról róż wój dąb gąs iąt wąs dęb ięc jęd kęd tęp zęs ^łu ał$ ałe ałk bło eł$ oła
    oło pła sło wło zło ońs ^śl ^św aś$ eśl eśn ość óźw ^ża ^żu / gór ść$ sła ańs eń$ / yńs / ińs`,
  tr: `
    ^âm bâk cân dâr fâl gâh gâr hâ$ hâd hâl hât kâr kâz mâd mâl mâr nân sâk tâb tâu yâ$ yâd zâf zâh şâf açm açt açç
    eçt hçe iça içç kço kçu kçü kçı lça lçe lçu nça nçk nçİ oça oço oçy pçu rçe rçl tçi tçİ uçt uçu yça zçi zçİ çça
    ççi ççı üçh üçu üçü ğça ğçu ıça ıçç nî$ ^öm ^ör böc dön döv göl iöz köl kön kör kös nöz söz tör yör çöl çör İöz
    sûl ^üz büm büz büğ cü$ cüb cüm cün dü$ düş füs güc güh güt hüc hül hün hür kün kür küt küç küş lü$ lüo lüç müe
    müf müg müm mür müz nü$ nük nür pür rüb rüs rüy rüç rüş süh süt süv tü$ tüm tün tüt yüm yüp yür yüz züh züm çü$
    çük ğüb şük ağc ağh ağm ağt ağç eğa eği eğk eğr eğç eğİ iğd uğa uğb uğd uğt uğu üğü İğd ^İb ^İc ^İf ^İp ^İt ^İş
    aİb aİd aİf aİk bİa bİb bİd bİk bİo cİd cİk cİl cİn cİv dİb dİd dİg eİs fİg fİl fİt fİz gİl gİs gİt gİz hİ$ hİc
    hİk hİt hİç hİş kİc kİk kİy kİz kİç kİş lİb lİc lİf lİp lİt lİy lİç mİa mİd mİm mİs mİz mİş nİc nİd nİg nİk nİr
    nİt nİy nİö pİk pİr rİb rİc rİk rİp rİt rİz rİç sİh tİh tİk tİp tİr tİy tİş vİc vİd vİk vİm vİt vİz vİş yİ$ yİn
    yİr yİt zİf zİh zİk zİl zİv çİb çİg çİr çİt çİğ çİş ğİ$ İİr şİ$ şİk şİl şİo şİİ aış bı$ bıd bık bıl bır bıy cık
    cıl cım dıb dıl dıv dıç fı$ fız gı$ gıy gıç hıf hız kıb kıc kık kıs kıy lıg lığ lış mık mın mır mıs nı$ nıa nıl
    nır nış pıl pır pış rıc rıd rıh rıo rıt rız rığ rış sıd sık sın tı$ tıc tıf tıg tıo tıı tış vıl yıs yıt zıc zın
    çıg çıl çığ ğıl ğız ıın şığ ^şâ ^şü aşb aşe aşg aşl aşm aşu bşa eşa eşm eşo eşr eşş fşa fşİ fşı gşi gşİ hşa işe
    işk kşı lşe mşa mşe nşa pşa rşi rşu rşİ uşu vşa vşe yşa yşi yşı üş$ üşb üşe üşi üşp üşİ İşe İşl İşİ ışa ışk şşa /
    dâv kâm kân lâl ^çö ^çı açe açu eç$ eça eçe eçk içi içk kçe kçİ lçı nçe nçi nçı oç$ rçu uça İçİ ıç$ ıçk şçi şçı
    ^öd ^ön ^öy bög bök bön kök köy ^üc ^üm büd bül bün dün dür düs düz für güm güv güz hüd hüm kü$ kül lül lüm lüt
    müj mük mün nül rük rün rüt sül tül tüz yüc yük züb zük zül zün ağd ağu eğb eğd eğt iği uğl İğİ ^İd ^İh ^İm ^İn
    ^İs aİ$ aİl aİm bİn bİç cİb cİo dİc dİm fİd fİr gİr gİç hİl kİm kİr lİg lİl lİo lİz lİş mİt mİy nİh nİl pİ$ pİl
    rİd rİf rİh rİl rİm rİs sİb tİf tİl tİm vİ$ vİl vİy yİd yİz yİğ zİy zİz çİk çİm çİs ğİt şİh şİm şİt bıt bıç cıo
    dıg eış gıl gın gır kıl kıp kıv kış lıb lıc lık lım lın lıo lıç mıl pın rıb rıf sıl sır sız sığ tık tıl tım tır
    yın yız zı$ zım zır zıt ğır ğış şıl şın ^şu aşo aşt aşç aşİ fşi işb kşa oş$ oşk rşa üşt İşa ışb ışı / ^ço aça eçi
    eçİ iç$ kça kçi lçİ nçu rçi rçİ uç$ İç$ böl gön gör göz ^ül ^ün büg bük bür gü$ hüs lük müş ağ$ aği ağl ağr ağı
    iğ$ oğd oğm oğu uğ$ ığ$ ^İk ^İr ^İz bİ$ bİr cİh dİk dİz fİ$ gİ$ hİd hİm hİn hİr kİ$ lİd lİh lİm lİs mİh mİl mİn
    nİ$ nİs nİz rİy sİ$ sİl sİm tİ$ vİn zİ$ çİ$ çİl çİn çİç şİn şİr dı$ dık dın dır dız kı$ kım kız mız mış rık rım
    rın sı$ sım yık zıl çık çın şı$ şık ^şi ^şİ aşk aşı eş$ eşe eşi eşİ işa işı kşi kşİ İş$ / ^çe ^çi ^çİ açi açı içe
    lçi nç$ rça İçe bör gök gür rü$ tür eğ$ uğr cİ$ dİ$ dİl dİn dİr fİk kİn lİ$ lİk lİn mİ$ rİ$ rİn sİn kın kır rı$
    tın yıl çı$ ^şa aşa aşi işi ış$ / ^ça aç$ ^öz gül gün oğa ^İl gİn mİr tİn cı$ lı$ ^şe aş$ iş$ uş$ / ağa oğl bİl`,
  lv: `
    bār dāg dār eāt jāz kād lār lās māl mān nāt pā$ pāv rāc rād rām sāt uār ičs oča očs uča učs ^ēv lēn mēn mēr mēt
    rēd rēl rēn rēz sēt vēs ^ģi eģe oģe oģi rģe rģi uģe ļģe ^īr aīd bīn bīt dīn gīl gīn līb līg līk mīr mīt nīn oīz
    pīd rīb rīc rīg rīl tīj tīl tīs uīz vīr vīz zīm rķi ņķe ņķi kļi oļģ aņu eņi oņi zņē išj išs kša kšs nšl uša ušs
    gūn jūs lūc lūt rūs rūt tūr ^že ^žu dže džs džu iže / ^ād ^ār cāl cān dān dāv jār kār lāc lāv nāj pār rāj sāj sār
    vāc vār zāl ^ču iča ^ēr jēj jēk lēj lēr mēj pēr pēt rēs rēķ sēj ķēn ņēm ^ģe eģi uģi ļģi bīr cīr dīr līc līd līv
    līz mīl nīd sīl tīr tīt vīd zīb zīl ķīt šīr ^ķe ^ķē uķī ēķi aļģ eļa iļu kļa oļe uļu aņē eņķ ^ši ^šm ^št ^šī ešk
    ^ūd jūl jūn kūn lūs rūb rūm ^ža ižn ožk rža / ^āb iān jān nār tāl bēr dīt līn mīn rīd rīn rīt vīn zīt iķe iķi rūd
    / mār līt tīn vīt / / iņa iņš ņš$`,
  es: `
    dª$ mª$ tª$ nº$ báe bán báñ các cád cán cár dár dáv gál gám gán háv jáq lá$ láe lán láz má$ mál más nád náj páe
    pág ráz sáe sár tá$ váe vás zál ^él ^ér aén bén bét dés héc léf lés méx nén nés réd sén tév ñés ^íc cío dín jía
    lía lín líq lís nía níz pío rín uía uíz víc víd ñía ñíg ^ña ^ñu ^ñí añi añu añé añí iñe iñó oña ^ós bón cód dón
    lóm lór róz tób tór zón ñón ^úr lú$ múd púl rú$ rúz tú$ güi / ^ág ^ál ^áv dán ián lás mán már rán sán tán uár ván
    vár váz yáñ cés déb iér lén pér rés tél tés téz vél ^íñ día fía mír nít ríg ríq tía uín año iña uña uñe uñi uño
    áñe íñi óñe úñe úñi cór dóñ góm gón lón lóp nóm aúl núm núñ sús zúñ / ^án nán mén cía mín río tín añe eña eño cón
    eón món güe / sé$ aña iño rón / ría ión`,
  de: `
    aße oßh ^än ^är bär bät däc gär häb häl hän käg käh käl käs kät läg län läu mäd mär näf räd räu täc täd wäh lèn
    dér né$ oé$ réd rén vér ^öm böh bön böt döb föl för göb göc göh höh hör höt kön köp kös löh lös löw möb möc mög
    möh mör nöh pöc pög pör pöt röc rög röm sön töb töw wöl wös büc bük bün büt düc düs füh für gül gür güt hüg hül
    hüp küs küt lüb lüc lüg lüt müh rüd rüe rüf rüt süd sür tür wüh wün wüt züm / bäc fän här jäg mäc räm rän nço gér
    ré$ tép ^ös bör dör gör göt höc höf jör köh köl röd rös röt sör töc töp kúh ^üb büh bür büs gün hüb hür jür kün
    lüs mün nür rüc rüg rün zür / häf möl hüt küh mül / hön`,
  fr: `
    ^à$ mál más bât oâm râc gäh hän käl rän eçu ^èv bèr dèg gèl gèn gèr hèl hèm hèr lèr lèt lèv mèt rèc rèl sèb sèl
    sèr vèn vèr ^éc ^ép ^ér ^ét aél aét bé$ béa céa céc céd cée cép déc dée dés fé$ fér fév géd gés héa ié$ ién iér
    kév lé$ lée lél lép lév még mét néd néf néh ném oém oév péc pél pén pép pét réf rét réé ség sél sép tée tél tém
    téo ué$ uér vé$ vée vér xén yés zé$ zéa zél zép éé$ fêt rêm uêt aëv nës oë$ oît aïc aïw eïn eïs oï$ oïc oïr hôt
    jör röt dû$ oût kün lüc rüt rüy aša / nça nço dèl ièv mèn nès rèd règ rèn rès sèn yès ^éd ^én aé$ bél bén cés déb
    dél déo dér fél gél gén gér hé$ héd hém hén hér iét jér lén lér mé$ méd mée méo née nél nér pér ré$ réa réd rée
    rég réj rél rén sé$ séb sée sér sév tép tér yé$ rêt aët aï$ aïa eïl côm rôm rüg / ièr ^ém ^év cél hée hél léa lém
    mér né$ oé$ rém té$ oël aïd aïm aïn / lèn ^él bér héo léo mél aïl aïs oïs / / aël`,
  pt: `
    nº$ ^áu bár fát iár iás lár más mát ná$ nár oá$ pá$ rá$ sá$ sáã tál táv vás ^âm câm iân sân tân zân aão cão eão
    hão mã$ mãe não pãe tã$ xão zão áãv çã$ eça eço iço rço rçã ^év dél fér gér hél héo jés léb lém mél ném oé$ réd
    rée rég sé$ uél zél gên mê$ mês rêa rên tê$ têv uê$ uên ^íg ^ís aín cíp lís míl mír oís río uí$ vín ^ós cód lór
    món rón són côr môn rôn sôn aúj gúb núb núm núr rúb / fáb láu láv már vân dão gão hãe rãe uã$ aça açõ nço nçã uçõ
    ^ér cél cés déb fél mé$ mér ré$ sér sés ué$ nês ^ír cíl líc líq lív níc ríc síl tíc uíz víc vít tón tór tôn mõe
    lúc / ^ân ião mão oão rão são tão vão içã uís çõe júl / açã nça / ção`,
  it: `
    bà$ dà$ mà$ sà$ cè$ dè$ nèe rèe uè$ zè$ hé$ cì$ nì$ uì$ bò$ tò$ vò$ zò$ aù$ fù$ iù$ lù$ sù$ tù$ / cà$ bè$ lè$ mè$
    nè$ oè$ sè$ dì$ sì$ cò$ dò$ mò$ rù$ / ià$ là$ nà$ rà$ rè$ rì$ fò$ lò$ rò$ / lì$ nò$ / tà$`,
  sv: `
    ^än ^äv gäv häm här jär kän läi mäl päi pän räs säl väi väs ^åb ^år ^ås går mår på$ pål råd néa ^öb ^ör gör göt
    jöb jög löf mö$ nös / lä$ mäk sän täl ^åk eå$ håk mål mån rån rås ^öv jön köp lön söd / för jör / röm`,
  nb: `
    ^åd ^åk ^åm båd håg jås kål kås lås må$ måg mål mån mår nål på$ pål pås råb råg råk rås tår vår vås ^æg ^ær gæd
    læg mæh mæl mær nær næs pær pæt ræd ræk ræv sæl tæk væn ^øl bød bøe bøg bøl dø$ dør døy høg hør jøb jød jøs jøt
    jøv køb lø$ løb løg løp møe nød nøs pød røj røl rør røs røt søg søl søy tøm tøs vø$ vøl vøy / ^åg ^ål håk hål håv
    kår tål våg kær lær sær vær ^ød ^øi ^ør ^øy bø$ bør fød før høi høj høy løk løy møl mør nør rø$ rød røe røm røy
    sø$ søn tøn tør / ^år ^ås bæk jær sæt ^øs ^øv jøl løn løv røn / går sør / jør`,
  nl: `
    ^ã$ ièv lèn rèn rès béa céc cél dér dés fél hél hér jér lér né$ oém ré$ réd sé$ sép té$ aëf eëi eël iët më$ oën
    oët oëz sëv vën oît aïl aïm aït eïn uïd uït rôm ^öz böh köh oör röd büy gün güv jür mül rüg yük / mée mél née rée
    tép eën ië$ uël uïn eün / iël iën oë$ aïs oïs / aël oël`,
  ja: `
    ^アイ ^アベ ^アラ ^アン ^イイ ^イケ ^イチ ^イト ^イノ ^イマ ^イワ アイ$ イイダ ウイチ オイ$ カイ$ ケイコ サイト シイ$ ジイ$ ダイス ツイ$ メイ$ ユイ$ ^ウチ ケウチ コウ$ コウイ
    コウギ コウノ ツウ$ トウザ ノウエ ミウラ ュウ$ ュウジ ュウヨ ユウキ ユウゲ ユウコ ユウタ ョウジ ョウヨ ヨウコ ヨウス ^エミ ^エン ウエ$ ウエダ ウエノ チエ$ マエダ ^オガ ^オザ ^オノ アオイ
    アオキ オオタ オオツ オオニ オオノ ズオ$ ツオ$ ナオキ ナオミ ^カ$ ^カト ^カネ ^カブ オカダ オカモ サカイ サカモ ズカ$ タカギ タカダ タカハ ツカ$ ナカ$ ナカガ ナカシ ナカジ ナカノ ナカム
    ナカヤ モカ$ ユカ$ ユカリ ラカミ ルカ$ ルカワ ワカミ オガワ カガワ キガイ スガワ セガワ ナガタ ヒガシ ンガイ ^キク ^キタ ^キノ ^キム ^キュ ^キョ アキコ アキヤ アキラ ウキ$ シキガ ズキ$
    セキ$ ユキ$ ^ギン ウギョ カギ$ スギモ スギヤ ^クド ^クボ ^クミ ^クリ キクチ タクヤ フクダ ニグチ ノグチ マグチ ワグチ ^ケイ イケダ タケウ タケシ タケダ ウゲン ^コバ ^コヤ ^コン イコ$
    キコ$ ズコ$ ナコ$ ネコ$ ヨコヤ リコ$ ンコ$ ンコウ ^ゴト ^サイ ^ササ ^サチ ^サノ ^サブ ^サヤ ^サー ササキ マサ$ マサキ マサト マサヒ ミサキ ウザ$ オザワ マザキ ヤザキ ^シス ^シズ
    ^シテ ^シバ ^シブ ^シマ ^シミ ^シン イシイ イシカ イシダ カシマ ガシ$ ケシ$ トシ$ ニシ$ ニシカ ニシム ノシタ ハシ$ ハシモ ブシキ マシタ ヨシ$ ヨシカ ヨシダ ロシ$ ^ジロ カジマ ツジ$
    フジイ フジタ フジモ フジワ ンジ$ ^スガ ^スズ イスケ ウスケ システ ビス$ マスダ ヤスダ カズオ カズコ カズヤ シズカ スズキ ミズ$ ミズノ ^セキ ^セン ハセガ ロセ$ ^タク ^タナ ^タニ ^タム
    ^タロ オタ$ ガタ$ キタム ジタ$ バタ$ ラタ$ リタ$ ワタナ ンタ$ ンター ^ダイ イダ$ クダ$ チダ$ ツダ$ ラダ$ ワダ$ ンダ$ ^チエ ^チバ イチロ ウチ$ ウチダ クチ$ サチコ ミチコ ^ツジ
    オツカ テツヤ フツウ マツイ マツオ マツダ マツモ ^テツ シテン ステム ^トウ ^トミ ^トモ カトウ ゴトウ サト$ サトウ サトシ クドウ ^ナガ ^ナナ タナカ タナベ ナナミ ハナ$ ハナコ リナ$ オニシ
    タニグ カネコ ^ノグ ^ノム ^ノリ イノウ ウノ$ エノ$ カノ$ キノシ サノ$ ズノ$ ヤノ$ ラノ$ ^ハシ ^ハセ ^ハマ ^ハヤ カハシ リハラ ^ババ コバヤ シバタ チバ$ ババ$ ^ヒガ ^ヒラ サヒロ
    モヒロ ービス ^フク ^フツ ^フミ ^フル カブシ サブロ シブヤ アベ$ ナベ$ ^ホン ミホ$ クボ$ ^マイ ^マエ ^マス ^マユ ^マル イマイ シマ$ シマダ ジマ$ ハマダ ヤマグ ヤマサ ヤマザ ヤマシ
    ヤマダ ヤマモ ^ミウ ^ミサ ^ミズ ^ミチ ^ミホ ^ミユ エミ$ オミ$ クミコ シミズ トミ$ ナミ$ フミ$ ユミコ カムラ キムラ シムラ テム$ ノムラ ^メイ ^モモ ギモト シモト ジモト ツモト トモヒ
    マモト モモカ ヤモト ^ヤス ^ヤノ アヤ$ アヤカ カヤマ キヤマ ギヤマ クヤ$ サヤカ ズヤ$ ツヤ$ ハヤシ バヤシ ブヤ$ ミヤザ ミヤモ ルヤマ キュウ ^ユ$ ^ユイ マユミ ミユ$ ロユキ キョウ ギョウ
    ^ヨコ アライ ウラ$ キラ$ クライ ハラダ ヒラノ ムラカ ムラタ ^リナ カリ$ クリハ ノリコ モリ$ モリタ ハルカ フルカ マルヤ ジロウ タロウ チロウ ヒロシ ヒロセ ヒロユ ブロウ ^ワタ ^ワダ イワサ
    カワカ カワグ カワサ ガワラ ザワ$ ジワラ アンド エンド ギンコ ケンジ ケンタ ゲンガ コンド シンイ センタ テン$ ホンダ ュン$ ュンイ ュンコ サービ ター$ / ^アオ ^アキ ^アヤ ^アユ ^イシ ガイシ
    マイ$ ライ$ ンイチ ^ウエ ョウ$ ョウコ ョウタ ^オカ ^カズ ^カワ シカワ ヤカ$ ^キミ ^キヨ オキ$ ザキ$ サクラ メグミ ^ケン スケ$ ^コウ チコ$ ミコ$ ^サカ ^サク ^サト ワサキ ^シュ
    ^ショ イシャ ヤシ$ ^ジュ ウジ$ ^スギ ^タカ ^タケ ウタ$ シタ$ ナタ$ エダ$ カダ$ ケダ$ シダ$ スダ$ マダ$ イチ$ イトウ ンドウ ード$ ^ナオ ヒナタ ^ニシ オノ$ ^ハナ ^ハラ ^ハル
    ^ヒナ ^ヒロ ^マサ ^ミヤ カミ$ キミ$ グミ$ ^ムラ タムラ ^メグ ^モリ カモト シャ$ コヤマ シュウ ジュン ^ユカ ^ユミ アユミ ショウ リョウ ^ヨウ ^ヨシ ウヨ$ キヨ$ クラ$ ハラ$ ワラ$
    ^リョ ハル$ ヒロ$ ガワ$ コード / トウ$ ドウ$ ロウ$ ^オオ サキ$ ウコ$ グチ$ ^ナカ ^フジ ^マツ ヤマ$ ユミ$ ^ヤマ ^ユウ ムラ$ カワ$ / モト$`,
  lt: `
    sąl ^čm nči sči dė$ kėn mė$ nės pėd sė$ sėj vė$ vėt vėž ^še ^šu aša aše aši ašk ešk iš$ kša kši kšy oše uša būd
    būs iūr iūt jūt kūb mūn rūk rūz ^ųž ^žv aža aži ažv eža lžb ožu ožė rže užm užė ėžy ųža / ^ąž sąs ači uči gė$ kėj
    kėt mėn sėd vėj žė$ kęs ^įm ^šl iša išm kšt oši ušk ušr yšn ^ūs jūr kūn rūt ^ža ^že aže dži uža ąžu / lči rė$ ^ša
    rūn ^žu ^žy / ^če ^ši iūn ^ži / lė$ / iči tė$ / nė$`,
  et: `
    hän hää jää käb käg käi käs mät nä$ näk näl nää pät räi räs rät säd täl tän täp tää väh väi ääb ääl ^õm ^õn ^õp
    hõb hõr jõh kõo lõh lõu lõv mõi põr rõu sõb sõe sõm sõr sõs sõõ tõr võh võl võt võõ ^öp höö löö pöö röö vös öö$
    ööa ööb ööd öök öön öör ^ür aüh hül kür lüd lül lüü mül mür nür nüü püs püv rün süg sül sün tüü üüd üüs ^ša ^še
    ^ši ^šm ^šu tša tšo tšu ^ža ^ži až$ užd / ^än här jän käo kät kää lät lää päe päi pää rää sär vär vää ääk ään ääs
    ^õi ^õu hõi jõe jõg kõi lõo mõt nõg nõm põd põh rõõ tõl võr õõm õõr ^öö möl söö ööp ööt ööv hüv jür kün müü püt
    rüü tür üür üüt tše ^žu / jär kär mäe mäg män mär pär täh väl äär kõr tõn võs töö ^ül kül / põl`,
  is: `
    ^ár bár lák már rái ^æg ^æs ^æv næb næf sæm sæu sæþ héð rés vés ^ív fía hía lís nía rí$ ría ríe rík rín rít tín
    vík aði iðd iðg iðþ rðs uðf uðv éði íð$ íði óðu öðv ^óm ^ós gól hól jóf jól lóm móð nór rób ról rós tóf tóm ^ön
    böð dög hög hös jök löf rön rös fús kúl ^ým ^ýr ^þu ^þy fþó lþó nþr rþr rþó tþó yþó æþó ðþj / ^ág ^ál fán ján lár
    pét rét gís lín nín aða iðu uðb uðj uðl uðm uðr uðu íðs úðu dór sól ^ög ^ör ^ös ^úl gús nús rúð ^þr nþó / jál pál
    rím ríð víð iða iðr rða rðu uðn íðu ^ól jóh ný$ gþó / ^ás dís jón rún ^þo ^þó / þór jör / dót`,
  ga: `
    ^ád ^ái cán dál dán eái eán eár fái fán hál mán más pái rál uán dân iân lâd lân tân ^él ^év déa léi mé$ néa née
    lên mêl të$ ^íd ^ío aí$ dí$ fío gín lín míc ní$ nín rís sía síl uí$ fîo rîd rîn sîa hói mór nói nór tói iôr môn
    ^ún búi cúr dúi dún lú$ nún súi hûn / dái eál hán lán pád rád rán ^éa héa néi oé$ réa wên oë$ hí$ rí$ rín río sín
    sío tín ^ó$ ^ór dón hóg rói rón iôn hú$ húi / gái mái nái nán rái ^éi séa hín / hái lái`,
} as const;

/** The ideographs of names, and the Korean syllables, and of words that stand beside them. */
export const IDEOGRAPHS = {
  zh: `
    一丁万三上业东严中丹丽义乐乔乙于交人付代令件任份伍伟何余佳依侯俊俞信修倩倪健傅储元光全公兰关兴军农冯凤凯分刘 刚制勇包华博卡卢发史叶号司合名向吕君吴呈员周哲唐商啸嘉国型城堂备夏大天奕奖妍姓姚姜娇娜娟婷子孔孙孟季宇安宋官
    宝实审家宸容尉小尚尧尹展屠岳峻崔工已币市帅常平年庄序应庞康廖建开式弘张强彤彪彬彭徐徒微志态思怡总悦愚慕慧懿成 戴户手技报招振描摘擎支收放政敏敬文斌新方施日旭昊明易昕晋晓晟晨智曹曾月有期未朱机李杜杨杰松林果柏柳柴栋核桂桐
    梁梅梓楷榕樊欣欧款正武段殷毕毛民汇汐江汤汪沈沐沫治波注泽洁洋洪浦浩海涂涛涵淼渊温源潇潘瀚炎炫烨焦焱然煊煜熊熙 熠燕牛状狐玉王玥玲珈珍琪琴瑜瑞瑶瑾生用甫田申电癸白皇皓省睿石磊祁祝祥祺秀种科秦程立章笑简算类紫红纪绍结编罗美
    羽翊翟耀耿聂联聪肖胡胤致航良艳艺芦芬芳苍苏苑苡若英范茗荣莫萍萧萱葛董蒋蒙蓄蓝蔡薛薪融行表袁要覃言计许设证诗诚 话语诸诺谢谭豪账贸贺贾资赖赵超越身轩转辉辰远迟述途通邓邢邮邱邵邹郑郝部郭金鑫钟钰钱银销锋锦长门闫阎阳附陆陈限
    陶雄雅雨雪雯雷霖霞靖静韦韩韬顾颖颜额风飞香馥馨马驰驹骆骞高魏鲁鸿鹏鹤鹭麦黄黎默齐龙龚`,
  ja: `
    々一七三上下与中丸丹乃久之也亀二五井亜京亮人今介付代伊会伯佐佳依保信修倉健備優元先光児入八典内円冨凛凜出分別 利前剛功加勇勉勝勲北匠区十千南博原及友取受口古号司合吉同名向君和咲哉員哲啓嘉園土地坂垣城堀堤報場塚増夏多夢大
    天太夫央奈奥奧好子孝学宅宇安実宮富寺尋小尾屋山岡岩岸島崇崎嵐嶋川工差市希平年幸広庄店座康式引弘当彦彩律後徳徹 心志恵悠悦情愛成戸手払担拓振摘支敏数文斉斎斐斗料新方日早昇明星春昭普智月有服望朝木未本杉杏村来東松林柏柳柴栄
    栗株根桃桐桑桜梅梶森植楓榊榎槻樋横樹橋正武歩比氏水永江池沙沢河治沼泉洋津浅浜浦浩海涼深淳清渋渡湊湯溝滝澤瀬照 熊片牧玉玲理琴瑛生田由甲男町畑畠番白百目直相真瞳矢石社祐神福秀秋稔種稲穂空窪立竜端竹笠筒節篠米紀納純紬細結給
    絵緒織署美義羽翔翼考聡臼舞良花芳芽若英茂茜荒荻莉菅菊菜萌萩落葉葵蒼蓮藤行衣裕西要角計誠谷豊貞負貴賀賞越足輔輝 輪辰辺辻込近通進達遠遥邊郎部酒里重野金鈴銀鎌長間関阿限陸陽隆雄雅青静音順須預額颯飯香馬駿高鶴麻黒齋龍`,
  tw: `
    一丁世人付任何余佩佳侯俊信修倫偉健傅傑備傳儒元公冠凱分別利劉勝匯卓博古台史司合名君吳呂周品員哲唐啟嘉嘯嚴國城 堂堯夏天奕如妍妤姓姚姜娥婉婷嬌子孔字孟孫宇安宋宏宗宜宥家宸富寶尤尹展峻崔工巫帳幣庭康廖廷建弘張強彤彥彬彭徐德
    志思怡恩惠愚慧懿戴戶承振摘擎收文新方於施日旭昊昌明昕春晉晟晨晴智曉曹曾月期朱李杜杰松林果柏柯梁梓楊楷榮樂欣款 歐正武段毓毛水永江汪沈洋洪浩涂涵淑淵添淼清游湯源潔潘澤濤瀚瀟炎炫焱然煊煜熊熙熠燁獎玉王玲珊珠珮琪琴瑋瑜瑞瑾瓊
    生用田白皓盧睿石碧磊祥祺福秀秦程穎立笑筱範簡紀素紹統維編羅美義翁翊翰耀聖聰育胡胤致航芬芷苑若英范莊莫華萬葉董 蒼蓁蔡蔣蕭薛薪藍蘇蘭號行袁要覃計許註詠詩詹語誠謝證譚豪貞財貴賀資賈賴超越趙身軒輝轉途連週進遠邱邵郁郝部郭鄒鄧
    鄭金鈺銀銘錢錦鍾鐘鑫門閻陳陶陸隆雄雅雨雪雯雷霖霞靖靜韋韓韻額顏顧風飛餘馬馮馳駒騫高魏鳳鴻鵬鶴鷺麗黃黎默齊龍龔`,
  ko: `
    가간갈감강건견결겸경계고공곽광구국권규균금급기길김나날남내노는늘다단담당대도동두든라란람랑래련령례로롱룡루류 률름리린림립마말맹명모목문미민박반받방배백번범변별병보복봄봉부분비빈빛사산상새서석선설성세소손솔솜송수숙순슬
    승시신심아안액양어엄엘여연염영예오옥온완왕요용우욱운울웅원위유육윤율은을음이인일임자장재적전점정제조종좌주준 지진짜차찬창채천철체초최추춘탁태택통팽편표피필하학한함합해행허헌혁현형혜호홍화환황회효후훈흥희`,
} as const;
