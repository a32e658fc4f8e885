/**
 * Names of languages of which @faker-js/faker has none, or few with letters beyond ASCII: common names, as telephone books
 * have them, written down by hand for this list.
 */
export const MORE_NAMES = {
  es: `Mª Nº Dª Stª Núñez Muñoz Peña Ibáñez Ordóñez Yáñez Íñiguez Íñigo Iñaki Begoña Zuñiga Zúñiga Quiñones Cañas Ñuñez Ñíguez Saldaña
    Castañeda Montañés Acuña Nuñez Piñeiro Patiño Cariño Señorans Güell Agüero Argüelles Sigüenza Güiraldes Mayagüez Ángel Ángela
    Ágata Álvaro Ávila Álvarez Águila Óscar Úrsula Élida Érica Ícaro López Pérez Gómez Martínez Fernández Rodríguez Sánchez Díaz
    García Jiménez Gutiérrez Hernández Ramírez Vázquez Suárez Domínguez Márquez Méndez Benítez Peláez Peñalver Nieto Cortés Andrés
    José María Jesús Raúl Rocío Sofía Lucía Inés Belén Víctor Héctor César Tomás Ramón Adrián Iván Martín Agustín Joaquín Germán`,
  pt: `João Joãozinho Sebastião Simão Estêvão Adão Abraão Adrião Bastião Beltrão Brandão Falcão Frazão Galvão Garção Gusmão Leitão Leão
    Mourão Pavão Paixão Perdigão Romão Salomão Serrão Simões Guimarães Magalhães Camões Mães Durães Vilhães Antão Aragão Assunção
    Conceição Encarnação Anunciação Ascensão Purificação Consolação Ressurreição Gonçalo Gonçalves Mendonça Bragança França Lourença
    Lourenço Graça Gonçalina Lança Sá Sáãvedra Araújo Assunção Inês Mariana Agnês Estêvão Gervásio Ângelo Ângela Ângelus Âmbar
    Antônio Antônia António Antónia Mônica Mónica Verônica Verónica Zélia Célia Cecília Célio Flávio Flávia Fábio Fábia Cláudio Cláudia
    Patrícia Letícia Vitória Glória Víctor Vítor Vinícius Júlio Júlia Lúcia Lúcio Luís Luísa Luíz Luíza Zulmíra Ísis Íris Érico Érica Évora
    Óscar Otávio Rogério Sérgio Mário Régis Débora Rosângela Elizângela Solange Tânia Vânia Sônia Sónia Fátima César Cauã Rauã Irmã
    Natã Iaçã Cauê Aimê Tomé André Josué Noé Moisés Desirée Neném Belém Goiânia Praça Nº Irmãos Comércio Serviços Informática
    Construções Soluções Instalações Alimentação Educação Fundação Associação Cabeça Corrêa Côrte Trindade Beirão Carvão Sertão Romeirão`,
  it: `Nicolò Niccolò Salomè Noè Mosè Giosuè Zoè Cloè Desirèe Andrè Josè Renèe Mafalda Totò Calò Carrabbà Cannizzarò Nicolì Gullì Forlì
    Cucè Foddè Patanè Scimè Munafò Pirrò Petrò Sanò Surdì Tripolì Virdò Alì Calì Marì Corrù Cossù Frongià Mascarà Muscarà Papalià
    Laganà Lombardò Fazzarì Foti Barillà Cutrì Cilià Galatà Surianò Sirianò Naccarì Logoteta Zoccalì Zuccalà Colosimò Aricò Arcà
    Macrì Cimò Cucinottà Saccà Scifò Nicosià Santorò Pelù Bertù Corà Dalò Panarà Fossà Rodà Romanò Errante Morabità D'Aguì Labbè Nastasì
    Restifò Runcì Zappalà Zumbò Catanà Cannavò Vadalà Mulè Trainò Tornabè Currò Giuffrè Portalè Giannì Sofò Lofrè Milazzò Verità Carità
    Città Società Attività Qualità Libertà Felicità Bontà Università Proprietà Perù Corfù`,
  nl: `Zoë Chloë Noë Joë Raphaël Michaël Gabriël Gabriëlle Daniël Daniëlle Emanuël Joël Joëlle Raël Rafaël Ismaël Israël Samuël Noël Noëlle
    Loïs Loïse Eloïse Heloïse Naïm Anaïs Raïssa Laïla Aïsha Maïté Thaïs Taïs Moïse Benoît André Andrée René Renée José Joséphine
    Désirée Aimée Cécile Irène Hélène Thérèse Geneviève Jérôme Stéphanie Stéphan Frédérique Béatrice Noémie Amélie Valérie Mélanie
    Ruben Jürgen Günther Müller Schröder Köhler Böhm Krüger Güven Özkan Büyük Zuïderent Coëlho Drieënhuizen Indië Italië België Kruït
    Financiën Geïnd Beëindigd Patiënt Reünie Coördinator Bruïne Ruïne Roëll Deëlman Weën Oën Boëtius Croëze Theünissen Naëff Sëvën`,
  hu: `Győző Győri Győrffy Győrfi Erdős Erdődi Erdősi Szőke Szőcs Szőnyi Szőllősi Szőts Szűcs Szűr Kőszegi Kőrösi Kővári Kővágó Kőműves
    Kövér Gergő Ernő Jenő Dezső Rezső Benő Csősz Hegedűs Hegedüs Gyűjtő Dömők Dömötör Ősz Őri Őze Őrsi Örkény Ördög Bődi Bőhm Bősze
    Bőgel Bökönyi Bördős Böjte Csőke Csőregh Csűrös Csűri Fűzi Fűrész Füzesi Fodő Főző Földes Fülöp Fűtő Gőz Gőgös Gőcze Görög Győrgy
    Hűvös Hőgye Hőnig Jenőfi Kisjenő Kecső Kincső Keresztőr Köő Lőrincz Lőrinczi Lőrinc Lőcsei Lőke Lőw Lukő Mező Mezősi Mezei Mészöly
    Nőmann Nemesköző Nagygyőr Pető Petőfi Pethő Pető Petőcz Rőth Rősler Rőczei Rőser Réthelyi Sebő Sebők Sőtér Sőregi Sűrű Szegő Széplő
    Szentendrő Szerencső Szendrő Szendrői Szőgyi Tőke Tőkés Tőzsér Törő Törőcsik Tőrös Tűri Tűhegyi Túri Töröcsik Ügető Vető Vető Vörös
    Vőneki Vőfély Zsűri Zsőtér Záhonyi Özön Özsvári Ürögi Ürmös Üveges Bánfalvi Bárány Béres Bíró Csóka Dávid Dékány Éva Éles Érdi Érsek
    Fábián Géza Ágnes Ágota Ákos Áron Árpád Áchim Ádám Álmos Ármin Íj Íjgyártó Ícsi Ódor Ónodi Ózdi Újhelyi Újvári Úr Üllő Ilosfő Balatonfő
    Nyerges Nyírő Nyíri Nyúl Kántor Kézdi Kékesi Kálmán Kriszt Kőris Kölcsey Könczöl Mátyás Máté Mária Mónika Márkus Móricz Zoltán Zsófia`,
  ro: `Ştefan Ştefania Ştefănescu Ştirbei Şerban Şerbănescu Şandru Şchiopu Şuteu Şova Şipoş Şoş Tănase Tănăsescu Ţăranu Ţepeş Ţiriac Ţurcanu
    Ţuţea Ţîrlea Ţone Bogdăneţ Băsescu Bălan Bălăceanu Bărbulescu Bădescu Bătrânu Bîrlădeanu Călin Călinescu Căpraru Cătălin Cătălina
    Cărbunaru Cîmpeanu Câmpeanu Cîrstea Cârstea Crăciun Dăscălescu Drăgan Drăgulescu Drăghici Drăguţ Drăguşin Dragoş Dumitraşcu Fănică
    Făgăraş Florică Găină Gavrilă Gheorghiţă Ghiţă Grădinaru Hagiu Iliuţă Ioniţă Ionuţ Ionică Istrătescu Lăcătuş Lăutaru Lupaşcu Lăzărescu
    Mădălin Mădălina Mălăele Mănescu Mărginean Mărioara Mitică Mircică Mihăilă Mihăiţă Mihăescu Munteanu Mureşan Mureş Năstase Năstăsescu
    Neacşu Neagoş Niţă Niţu Oprişan Păcuraru Pădureanu Păun Păunescu Pârvu Pârvulescu Petraşcu Petrişor Poştaru Preoţescu Puşcaş Puşcă
    Răducanu Răducioiu Răileanu Rădulescu Răzvan Răzvănescu Roşca Roşu Roşculeţ Rîpă Sălăjan Săndulescu Sărăcilă Sorescu Stănescu Stănciulescu
    Stăncuţa Stan Suciu Toşa Tudoraşcu Ungureanu Văcărescu Văduva Vătăşescu Vîlcu Vâlcu Vasilică Vlăduţ Vlădescu Vlaşin Zăvoianu Zîna Anuţa
    Măriuţa Ilinca Luminiţa Crenguţa Steluţa Mihaela Rodica Nicuşor Costică Gicuţa Petruţa Ancuţa Nelu Înţeleptu Îndrei Câmpulung Bucureşti Iaşi
    Braşov Timişoara Constanţa Galaţi Ploieşti Piteşti Bacău Târgu Mureş Bistriţa Reşiţa Buzău Râmnicu Vâlcea Călăraşi Brăila Botoşani`,
  pl: `Ścibor Świątek Świderski Śliwa Śliwiński Śnieg Śpiewak Żak Żaba Żuk Żukowski Żebrowski Żmuda Źródłowski Źrebiec Łukasz Łucja Łuczak Łapiński
    Łoś Łojek Łysiak Łęcki Ćwik Ćwikła Ćwiertnia Ósmak Wałęsa Wójcik Wójtowicz Wąsik Wąs Więcek Więckowski Zając Zięba Zięcina Jarząbek Dąbrowa
    Dąbrowska Dąbrowski Dębska Dębiński Dziąba Dzięcioł Gąsior Gąska Gęsicki Głąb Głowacki Góra Górski Górecka Grześkowiak Guść Jaśkowiak
    Jędrzejczak Jędrzej Jóźwiak Jóźwik Kaźmierczak Kaźmierska Kępa Kępiński Kłos Kołodziej Kościuszko Kość Kowalówka Król Królikowski Książek
    Księżak Kądziela Kędzierski Kędra Lewańska Leśniak Leśniewski Lis Madej Mączka Mączyński Małgorzata Mąż Mścisław Nędza Nóżka Nieść
    Paweł Pająk Pałka Pawełek Pęczak Piątek Piątkowski Piętka Płonka Późniak Prądzyński Próchnik Przybyła Pstrąg Rąb Rębacz Różański Róża Rówień
    Sęk Sędzia Skąpski Słoń Słowik Sołtys Sójka Spólnik Stępień Stępniak Strąk Sułkowski Szczęsna Szczęsny Szydło Tądel Tomaszów Trąba Wąż Węgrzyn
    Węgiel Włodarczyk Włodzimierz Wróbel Wróblewski Zbójnik Ząbek Zębala Złoty Złotnik Zółtek Żółty Żółtowski Grażyna Bożena Elżbieta Mieczysław
    Stanisław Bolesław Władysław Zdzisław Wiesław Mirosław Jarosław Radosław Przemysław Bogusława Stanisława Michał Rafał Józef Józefa
    Agnieszka Krzyś Jaś Staś Wasyłyk Gdańsk Łódź Poznań Kraków Rzeszów Wrocław Toruń Częstochowa Bielańska Kamińska Zielińska Wiśniewska Wiśniewski
    Lewandowska Szymańska Woźniak Woźny Kozłowska Kozłowski Jabłońska Jabłoński Pawłowska Pawłowski Michałowski Wieczorek Majewska Olszewska Stępniewska`,
  lt: `Agnė Agnė Aistė Akvilė Algė Asta Audronė Aušra Aušrinė Birutė Brigita Dalė Dainora Daivė Danguolė Danutė Dovilė Edita
    Eglė Elžbieta Emilė Gabrielė Giedrė Gintarė Goda Gražina Greta Ieva Ilona Indrė Inga Irmantė Janė Jolita Julė Jūratė
    Justė Karolė Kristė Laimė Laima Liepa Liucija Lijana Loreta Miglė Monika Neringa Nijolė Onė Ona Ramunė Rasa Reda Regina
    Rimantė Rūta Rūtenė Sandra Saulė Sigutė Simona Skaistė Smiltė Snieguolė Sofija Šarūnė Teresė Toma Ugnė Urtė Vaida
    Vaiva Viktė Vilhelmina Vilė Violeta Virginija Vitalija Živilė Žaneta Žydrė Žydrūnė Živa Ąžuolas Ąžuolė Algirdas Andrius
    Antanas Arūnas Aurimas Ąžuolas Česlovas Dainius Darius Deividas Domantas Donatas Eimantas Egidijus Ernestas Gediminas
    Giedrius Gintautas Ignas Jonas Juozas Justinas Jurgis Karolis Kazimieras Kęstutis Kęstas Laimonas Linas Lukas Mantas
    Marijonas Marius Mindaugas Mykolas Modestas Nerijus Paulius Petras Povilas Ramūnas Raimondas Remigijus Rokas Rolandas
    Romas Saulius Sigitas Simonas Stasys Šarūnas Tadas Tomas Vaidas Valdas Vidas Vilius Virgilijus Vygantas Vytautas Vytenis
    Zenonas Žilvinas Žydrūnas Žygimantas Žygintas Adomaitis Adomaitienė Adomaitytė Ambrazevičius Ambrazevičienė Andriulis
    Bagdonas Bagdonienė Balčiūnas Balčiūnienė Balčiūnaitė Baranauskas Baranauskienė Bartkus Barkauskas Bielinis Bružas
    Brazauskas Brazauskienė Budrys Budrienė Butkus Butkienė Butkutė Čepas Čepaitis Čepaitė Čepulis Čepulienė Černiauskas
    Černiauskienė Česnauskas Česnulevičius Dambrauskas Dambrauskienė Dambrauskaitė Daukša Daukšienė Eidukevičius Gailius
    Galdikas Galdikienė Gedvilas Gedvilienė Grigaitis Grigaliūnas Grigaliūnienė Gudaitis Ivanauskas Ivanauskienė Jakštas
    Jakštienė Jakubauskas Jankauskas Jankauskienė Jankauskaitė Janušauskas Janulevičius Jasaitis Jasiūnas Jokūbaitis Jonaitis
    Jonaitytė Juknevičius Juknevičienė Juozapavičius Jurevičius Jurgaitis Jurkus Juška Juškienė Kairys Kairienė Kalvaitis
    Karaliūnas Kavaliauskas Kavaliauskienė Kavaliauskaitė Kazlauskas Kazlauskienė Kazlauskaitė Kaupas Kučinskas Kučinskienė
    Kubilius Kudirka Kvedaras Lapinskas Laurinaitis Laurinavičius Laurinavičienė Leonavičius Lukoševičius Lukošius Lukošienė
    Lukauskas Mackevičius Mačiulis Mačiulienė Mačiulaitis Malinauskas Markevičius Martinkus Masiulis Matulevičius Matulis
    Mažeika Mažeikienė Mažeikaitė Mickevičius Mikalauskas Mikėnas Mikšys Milašius Misevičius Misiūnas Morkūnas Morkūnienė
    Narbutas Navickas Navickienė Navickaitė Norkus Norvaišas Norvaiša Norvilas Pakalnis Paškevičius Paulauskas Paulauskienė
    Petkevičius Petkevičienė Petrauskas Petrauskienė Petrauskaitė Petraitis Petrulis Pocius Pocienė Povilaitis Radzevičius
    Ramanauskas Ramanauskienė Rimkus Rimkutė Rimkienė Rudys Rutkauskas Rutkauskienė Sabaliauskas Sadauskas Savickas
    Savickienė Šakalys Šakalienė Šalčius Šapoka Šeškus Šidlauskas Šimkus Šimkutė Šimkienė Šimonis Šimėnas Širvinskas Šležas
    Šliogeris Stankevičius Stankevičienė Stankevičiūtė Stankūnas Stonys Stonkus Šukys Sutkus Tamašauskas Tamulis Tarvydas
    Tomaševičius Tumėnas Urbonas Urbonienė Urbonavičius Urbonaitė Vaičiūnas Vaičiulis Vaičiulienė Vaitkevičius Vaitkus
    Vaitkienė Valaitis Valančius Valiulis Vasiliauskas Vasiliauskienė Vasiliauskaitė Venckus Vilkas Vyšniauskas Vyšniauskienė
    Zabarauskas Žalys Žemaitis Žemaitienė Žemaitytė Žilinskas Žilinskienė Žilinskaitė Žiūraitis Žukas Žukauskas Žukauskienė
    Žukauskaitė Žvirblis Žibūdas Sąlė Mažvydas Vėtra Kęsgailaitė Barkutė Petronė Pranė Pranutė Jūra Jūris Bružaitė Brūzga
    Grybauskaitė Kalvaitytė Landsbergytė Prunskienė Nausėda Nausėdienė Šimonytė Skvernelis Linkevičius Paluckas Puodžiūnas
    Puodžiukas Puidokas Kirkilas Kubilienė Degutienė Čmilytė Nielsen Žalgiris Ražaitis Rožė Rožukas Rūkas Ūsas Ūselis Ųžas`,
  et: `Aadu Aarne Ännä Änni Ülle Ülo Ülli Ülar Üllar Ürjo Õie Õnne Õilme Ööbik Kätlin Kärt Käthe Käbi Kärg Kärolin Külli Küllike
    Küllvi Kürt Jüri Jürgen Jõgi Jõe Jõesaar Jõgeva Jäär Järv Järve Järvi Järvis Jänes Jänese Kõiv Kõivu Kõivupuu Kõrts
    Kõre Kõressaar Kõrgesaar Kõomägi Külm Künnapas Künnapuu Käär Kääri Käsper Kärner Käo Kägu Käosaar Lõhmus Lõoke Lõo
    Lõvi Lääne Läänemets Läte Lätt Lüüs Lüdig Märt Märten Märtin Mäe Mägi Mäggi Mäekivi Mäeots Mäesalu Mätas Mäger Männi
    Männik Männiste Mändla Mändmets Möldri Mölder Möls Müür Müürsepp Müller Mürk Mõttus Mõts Mõis Nõmm Nõmme Nõmmik Nõgu
    Nõges Näkk Nääs Nälk Nürk Nüüd Pärn Pärna Pärnamägi Pärnoja Pärt Pärtel Pääsuke Pääru Päts Päeva Päiv Päike Põder Põdra
    Põld Põldmaa Põldma Põldmäe Põldsaar Põldoja Põlluste Põllu Põllumäe Põhjala Põrk Püvi Pütsepp Pütt Püss Pööra Rääk
    Rääbis Räim Rätsep Rästas Rõõm Rõõmus Rõuk Rünk Rüütel Rüütli Rööp Saarmäe Sõber Sõerd Sõrmus Sõmer Sõõru Sõstar Särg
    Säde Särev Särgava Sööt Söödi Sügis Süld Tõnis Tõnisson Tõnu Tõnne Tõll Tõru Tõld Tähe Täht Tähepõld Tänav Tääker Tältsi
    Tüür Türk Türi Töö Tööni Vähi Väli Väljas Väljaots Väärt Väärsi Vääna Värk Värnik Väin Vösu Võsa Võsu Võrk Võõras Võhma
    Võsumaa Võsaste Õispuu Õun Õunapuu Õunpuu Õmblus Ööpik Öpik Öövel Ots Oja Orav Liis Mari Kaarel Kadri Kristjan Kertu
    Külaots Külasalu Küla Hõbe Hõim Hõrak Hõimre Härm Härma Härmson Hääl Hänni Hülge Hüva Höövel Lõuna Löök Lüll Šmidt
    Žukov Šults Žanna Šeferson Kuždmin Paž Tšernov Tšaikin Jefimtšuk Ivantšenko Petšora Šadrin Šipilova Žuravljov Žigulin`,
  is: `Aðalbjörg Aðalheiður Aðalsteinn Agnes Ágúst Ágústa Álfheiður Álfrún Andrés Anna Ari Arnar Árni Arnór Arnþór Arnþrúður
    Ásdís Ásgeir Ásgerður Áslaug Ásmundur Ásta Ástríður Ástþór Atli Auður Baldur Benedikt Bergþór Bergþóra Birgir Birna
    Bjarki Bjarni Björg Björgvin Björk Björn Bragi Bríet Bryndís Böðvar Dagný Daði Davíð Dögg Egill Einar Eiríkur Elín
    Elísabet Erla Eyjólfur Eyþór Eyrún Fanney Friðgeir Friðrik Friðrika Friðþjófur Geirþrúður Gísli Grétar Guðbjartur
    Guðbjörg Guðfinna Guðjón Guðlaug Guðlaugur Guðmundur Guðni Guðný Guðríður Guðrún Guðveig Gunnar Gunnhildur Gunnþór
    Gunnlaugur Gylfi Hafþór Hafdís Halldór Halldóra Hallgrímur Hannes Haraldur Héðinn Heiða Heiðar Heiðrún Heiðdís Helga
    Hildur Hilmar Hjálmar Hjörleifur Hjördís Hjörtur Hólmfríður Hrafnhildur Hreiðar Hrönn Hulda Högni Höskuldur Inga
    Ingibjörg Ingólfur Ingunn Ingþór Ívar Jakob Jóhann Jóhanna Jóhannes Jón Jóna Jónas Jónína Jökull Jörundur Karítas Katrín
    Kjartan Kolbrún Kristín Kristján Kristjana Kristófer Lára Lárus Lilja Loftur Logi Margrét María Már Matthías Nína Njáll
    Oddný Ólafía Ólafur Ólöf Ómar Óskar Páll Pálína Pétur Ragnar Ragnheiður Rakel Rannveig Róbert Rósa Rúnar Rut Sæmundur
    Sæunn Salóme Sesselja Sif Sigfús Sigmundur Signý Sigríður Sigrún Sigtryggur Sigurbjörg Sigurður Sigurveig Sigurþór
    Sindri Skúli Snæbjörn Snæfríður Snorri Sóley Sólrún Sólveig Stefán Stefanía Steinar Steingrímur Steinunn Steinþór Sunna
    Svala Svandís Svanhildur Sveinbjörn Sveinn Sverrir Sæþór Tómas Torfi Tryggvi Unnur Úlfar Úlfur Valgerður Valþór Vésteinn
    Vigdís Viðar Víðir Víkingur Vilborg Vilhjálmur Yngvi Ýmir Ýr Þórarinn Þórdís Þórður Þórey Þórhallur Þórhildur Þórir Þór
    Þóra Þórólfur Þórunn Þorbjörg Þorbjörn Þorgeir Þorgerður Þorkell Þorlákur Þorleifur Þormóður Þorsteinn Þorvaldur Þorvarður
    Þráinn Þröstur Þuríður Þyrí Æsa Ægir Ævar Ögmundur Ögn Önundur Örlygur Örn Össur Össurarson Jónsson Jónsdóttir Sigurðsson
    Sigurðardóttir Guðmundsson Guðmundsdóttir Gunnarsdóttir Ólafsson Ólafsdóttir Magnússon Magnúsdóttir Einarsdóttir
    Kristjánsson Kristjánsdóttir Björnsson Björnsdóttir Bjarnadóttir Jóhannsson Jóhannsdóttir Stefánsson Stefánsdóttir
    Pálsson Pálsdóttir Helgadóttir Haraldsdóttir Þorsteinsson Þorsteinsdóttir Þórðarson Þórðardóttir Þórsson Þórsdóttir
    Friðriksson Friðriksdóttir Davíðsson Davíðsdóttir Hauksdóttir Ragnarsdóttir Benediktsdóttir Péturssson Pétursdóttir
    Sveinsdóttir Ásgeirsson Ásgeirsdóttir Hallgrímsson Hallgrímsdóttir Þorvaldsson Þorvaldsdóttir Guðjónsson Guðjónsdóttir
    Guðnason Guðnadóttir Sigþórsson Viðarsson Viðarsdóttir Heiðarsson Auðunsson Bárðarson Njálsdóttir Gíslason Gísladóttir`,
  /** And of Wales and England. */
  ga: `Siân Sîan Siôn Siôna Siôr Siôns Gwên Anwên Catrîn Ffîon Glân Rhûn Mêl Môn Elên Dân Gwlâd Tân Ffrîd Zoë Chloë Renée Brontë Évans Élise Esmé Fleur Chloé Zoé
    Áine Ádhamh Aisling Aodhán Aodhfionn Éabha Éamonn Éanna Éibhear Éilis Éinrí Éirne Eithne Gráinne Íde Íosac Iarlaith Máire Mairéad
    Máirín Máirtín Maolmhín Micheál Mícheál Muirís Nóra Nóirín Niamh Odhrán Oisín Órla Órfhlaith Pádraig Pádraigín Páidí Peadar Proinsías
    Ráichéal Réamonn Risteárd Róisín Rónán Ruairí Ruán Sadhbh Saoirse Seán Séamas Séamus Síle Siobhán Sinéad Sláine Sorcha Tadhg Tomás
    Treasa Úna Uilliam Ó Ní Uí Mac Muireadhach Caoimhín Ciarán Cillín Colmán Conán Cormac Críostóir Dáithí Daithí Déaglán Diarmaid
    Dónal Dónall Donnchadh Dúnla Eoghan Fáinche Fearghál Fiachna Fionnán Fíona Gearóid Lán Láimhín Liadán Lorcán Séafra Stiofán Tiarnán
    Ó'Briain Súilleabháin Murchú Ceallaigh Dálaigh Domhnaill Gallchóir Gallchobhair Néill Máille Mórdha Nualláin Riain Tuathail Flaithearta
    Ceannabháin Cinnéide Conaill Catháin Cléirigh Cuinn Dochartaigh Dubhghaill Duibhir Faoláin Flannagáin Floinn Gormáin Gríofa Hógáin
    hUiginn hAodha hÉanaigh hÓgáin hEachthairn Laoghaire Laoire Loingsigh Lionacháin Lochlainn Máirtín Maoláin Maoileoin Meachair Muirgheasa
    Mealláin Maonaigh Muimhneacháin Núnáin Raghallaigh Rálaigh Rónáin Ruanaidh Scanláin Scolaí Séaghdha Síoda Síocháin Tiarnaigh Tréasaigh
    Lachtnáin Gairbhín Giobúin Giolláin Hannracháin Cadháin Coileáin Corcráin Cróinín Cuilinn Cuinneagáin Cúrnáin Deoráin Dorchaidh Dúill
    Fearraigh Finneadha Fionnagáin Foghlú Gabháin Glionnáin Gráda Liatháin Manacháin Marcaigh Maoilriain Riada Ríordáin Rodaigh Tarpaigh
    Bhuachalla Bhraonáin Bhrádaigh Bhriain Bhroin Chadhla Cheallacháin Chaoimh Chonchúir Dhomhnaill Dhubháin Mhurchú Mhaoláin Shúilleabháin`,
  nb: `Bjørn Bjørg Bjørnar Bjørge Bøe Bø Børge Børre Brønn Dørum Fløgstad Fløysvik Fjørtoft Flø Frøydis Frøya Gjøvik Grønn Grønnevik Grøtte
    Hålogaland Håkon Håvard Håland Hågensen Håvik Hørte Høgli Høie Høiland Højgaard Højlund Høyer Høydal Jåsund Jørgen Jørgensen Jørn Jørstad
    Kåre Kåsa Kjær Kjærstad Kjærgaard Kjøl Kjølstad Kjøs Kløve Knøsen Kværner Kråkenes Låstad Lærke Lærum Løken Løkken Løvås Løvdal Løvberg
    Mårud Måløy Mæhlum Mæland Møller Mørk Møen Møllegaard Nødtvedt Næss Nærø Nørgaard Nørregaard Nålsund Ødegård Ødegaard Øien Øverland Øverby
    Østby Østergaard Østberg Østlie Øvrebø Øystein Øyvind Øivind Ørjan Øyunn Ølstad Pål Påsche Pærregaard Rågård Ræder Rønning Rønnaug Rønne Røed
    Røe Rørvik Røsten Rødland Sjøberg Sjøli Skjærvø Skjølberg Skår Skåre Skåle Sløk Sætre Sæther Sæter Særheim Sælen Søndergaard Søren Sørensen Sørlie
    Sølvi Sørum Søgaard Søreide Stål Ståle Størseth Strøm Strømme Svendgård Sønsteby Tårnby Tømmerås Tønnesen Tørres Tøssebro Torbjørn Trøen Trønnes
    Ulvøy Våge Vågen Vårin Vænge Værnes Vøllestad Ågot Ågren Åge Åse Åsne Åshild Åsta Åsmund Åmodt Åkre Åserud Ådne Æge Ærø Brynhildsvoll Asbjørn
    Asbjørnsen Arnbjørg Bodø Tromsø Ålesund Tønsberg Sandøy Sørbø Ingebjørg Ingebjørn Esbjørn Thorbjørn Aksøy Gunbjørg Lønning Mågerø Nygård Nygaard
    Overgård Solgård Kirkegård Bøgh Bødker Bjerregård Damgård Dyhr Fjordbæk Frølund Gråbøl Gæde Hjørring Holbæk Kjeldbæk Krøyer Kær Lundbæk Mørch
    Nørby Pødenphant Rasbæk Rævsgård Røjkjær Skovgård Skjødt Skjøth Skærbæk Smidstrøm Spæth Særkjær Sørup Thostrup Tæker Vestergård Værum Årup`,
  /** Of Japan as banks write them: in katakana. */
  ja: `サトウ スズキ タカハシ タナカ イトウ ワタナベ ヤマモト ナカムラ コバヤシ カトウ ヨシダ ヤマダ ササキ ヤマグチ マツモト イノウエ キムラ ハヤシ
    シミズ ヤマザキ ヤマサキ モリ アベ イケダ ハシモト イシカワ ヤマシタ ナカジマ ナカシマ イシイ オガワ マエダ オカダ ハセガワ フジタ ゴトウ コンドウ
    ムラカミ エンドウ アオキ サカモト サイトウ フクダ オオタ ニシムラ フジイ カネコ オカモト フジワラ ミウラ ナカノ ナカガワ ハラダ マツダ タケウチ
    オノ タムラ ナカヤマ ワダ イシダ モリタ ウエダ ハラ シバタ サカイ クドウ ヨコヤマ ミヤザキ ミヤモト ウチダ タカギ アンドウ シマダ タニグチ オオノ
    タカダ マルヤマ イマイ コウノ フジモト ムラタ タケダ ウエノ スギヤマ マスダ スガワラ ヒラノ オオツカ コヤマ クボ マツイ チバ イワサキ サクライ
    キノシタ ノグチ マツオ ノムラ キクチ サノ オオニシ スギモト アライ ハマダ ヒロセ ナガタ カワグチ ツジ ヤノ イイダ ヨシカワ カワカミ ニシカワ フルカワ
    キタムラ ミズノ ヤスダ アキヤマ ヒガシ シブヤ ババ カワサキ ホンダ クリハラ オザワ セキ タケシ タロウ イチロウ ジロウ サブロウ ハナコ ケンジ ケンタ
    ヒロシ ヒロユキ ユウキ ユウタ ショウタ ダイスケ タクヤ ナオキ マサト マサヒロ カズヤ カズオ アキラ サトシ テツヤ シンイチ コウイチ リョウ リョウタ
    トモヒロ ヨウスケ ジュン ジュンイチ シュウジ キョウコ ヨウコ ユミコ ケイコ カズコ サチコ ミチコ アキコ ノリコ マユミ クミコ ナオミ メグミ アユミ
    エミ ユミ マイ アイ ミホ ユカ ユウコ リョウコ シズカ サヤカ アヤカ ミサキ ハルカ モモカ ナナミ サクラ アオイ ヒナタ ユイ リナ ミユ アヤ チエ ジュンコ
    カブシキガイシャ ユウゲンガイシャ ギンコウ シテン フツウ トウザ ショウジ コウギョウ サービス センター システム カ ユ メイ キュウヨ シュウ ショウヨ`,
  tw: `陳 林 黃 張 李 王 吳 劉 蔡 楊 許 鄭 謝 郭 洪 邱 曾 廖 賴 徐 周 葉 蘇 莊 呂 江 何 蕭 羅 高 潘 簡 朱 鍾 游 詹 胡 施 沈 余 盧 趙 梁 顏 柯 孫 魏 翁 戴 范 宋 方 鄧 杜 傅 侯 曹
    薛 丁 馬 蔣 唐 卓 藍 馮 姚 石 董 紀 歐 程 連 古 汪 湯 姜 田 康 鄒 白 涂 尤 巫 韓 龔 嚴 袁 家豪 志明 俊傑 建宏 俊宏 志豪 志偉 文雄 金龍 淑芬 淑惠 美玲 雅婷 怡君
    麗華 秀英 惠雯 雅雯 淑貞 秀琴 欣怡 佳穎 佩珊 宗翰 冠宇 承恩 品妍 詠晴 宜蓁 柏翰 彥廷 宥廷 子晴 思妤 庭瑋 育誠 明哲 國華 建志 世昌 永福 榮輝 素貞 玉蘭 月娥 鳳嬌 寶珠
    碧霞 慧玲 瓊文 靜宜 曉雯 婉如 詩涵 筱涵 郁婷 孟儒 哲瑋 信宏 啟文 義雄 清風 添財 進財 春生 正雄 銘傳 耀德 振隆 錦源 勝利 富貴 維倫 聖傑 奕安 芷若 毓秀 珮瑜 韻如 鈺婷 凱文`,
  ko: `김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 유 홍 전 고 문 손 양 배 백 허 남 심 노 하 곽 성 차 주 우 구 민 진 지 엄 채 원 천 방 공 현 함 변 염 여
    추 도 소 석 선 설 마 길 연 위 표 명 기 반 라 왕 금 옥 육 인 맹 제 모 탁 국 어 은 편 용 예 경 봉 사 부 민준 서준 도윤 시우 주원 하준 지호 지훈 준서 건우 현우 우진
    선우 서진 연우 민재 유준 정우 승우 승현 시윤 준혁 은우 지환 승민 지우 유찬 윤우 서연 서윤 지유 하은 민서 수아 지민 채원 수빈 지아 소율 다은 예은 지원 소윤 예린 가은 유진 윤서
    영수 영호 영철 정훈 성민 상훈 성호 진호 동현 재훈 광수 철수 영희 순자 영자 정숙 미경 은주 미영 은영 현정 은정 지영 보람 혜진 슬기 아름 나영 경숙 명숙 말순 복순 태희 효주 나래
    초롱 별 빛나 한결 찬영 규현 태양 혁재 택준 필립 병철 창욱 춘자 흥수 희철 균상 범수 학철 헌재 훈 율 솔 단 란 림 련 례 령 룡 률`,
} as const;

/** Words that stand in headers and cells beside names: they must not look strange. */
export const WORDS_BESIDE_NAMES = {
  cs: `Kč Výplata Výplaty Číslo účtu účet účtů Jméno Příjmení Částka Měna Příjemce Poznámka Kód Variabilní OSVČ DPČ
    říjen září únor březen květen červen červenec Zaměstnanec Mzda čistá hrubá Společnost Město Ředitel Účetní
    Splatnost Období Měsíc Součet Celkem Odměna Zpráva pro příjemce Účel platby Plátce Název společnosti
    Středisko Údaje Částky Kč/měsíc`,
  sk: `Číslo účtu účet Výplata Výplaty Meno Priezvisko Čiastka Príjemca Poznámka Dátum Mzda čistá január február
    marec apríl máj jún júl október Spoločnosť Platiteľ Správa pre príjemcu Účel platby Kód Mesiac Súčet Odmena
    Názov Živnostník Príkaz na úhradu Splatnosť Obdobie`,
  hu: `Név Összeg Számlaszám Bankszámlaszám Számla Kedvezményezett Közlemény Pénznem Dátum Munkavállaló Nettó bér
    Bruttó Fizetés Utalás Cím Város január február március április május június július október Adóazonosító
    Megjegyzés Juttatás Jövedelem Értéknap Összesen Készítette Jóváhagyta Időszak Hónap Törzsszám Időpont
    Kifizetendő Levonás Ügyfél Devizaösszeg Személyi Külföldi Belföldi`,
  ro: `Sumă Valută Monedă Beneficiar Bancă Plată Lună Dată Judeţ Observaţii Explicaţii Plăţi Ştat Poziţie Funcţie
    Marcă Factură Destinaţie Naştere Şef Întocmit Reţinută Reţineri Preţ Unităţi Ianuarie Salariu Informaţii
    Administraţie Societăţi Angajaţi Localităţi Ţară Adresă Număr Semnătură Săptămână`,
  hr: `Račun računa Iznos Primatelj plaćanja Plaća Isplata Šifra Siječanj Veljača Ožujak Tečaj Općina Županija
    terećenja Mjesečno Godišnji Tekući Uplatiša Plaćeno Način Naplaćeno Poštanski Zaposlenička Broj računa Učenik
    Služba Liječnik`,
  sl: `Račun računa plačila Plača Plače Izplačilo Številka Davčna Šifra Pošta Način Tečaj Občina Mesečno Plačnik
    Študent Izplačano Priimek Znesek`,
  pl: `Imię Tytuł Tytułem Wypłata Płatność Płaca Należność Miesiąc Październik Wrzesień Sierpień Grudzień Styczeń
    Kwiecień zł złoty złotych Miejscowość Województwo Łącznie Sporządził Zatwierdził Spółka Księgowość Urząd
    Składki dzieło Zleceniodawca Określenie Ilość Wartość Część Dział Świadczenie Zasiłek Należny Potrącenia
    Wpłata Środki Użytkownik Kwota słownie`,
  tr: `Adı Soyadı Alıcı Açıklama Numarası Şube Ödeme Maaş Ücret Brüt Çalışan Döviz Türü İşlem Gönderen Hazırlayan
    Şirket Şubat Mayıs Ağustos Eylül Kasım Aralık Ünvan Unvanı Müşteri İstanbul İzmir Kimlik Görev Bölüm Kesinti
    İkramiye Vadesi Borçlu Alacaklı Sıra Tutarı Ödenecek Yapılan Masrafı Ücreti Gün Saat İdari İnsan Kaynakları
    Açıklaması Adresi İlçe Şehir`,
  lv: `Vārds Uzvārds Valūta Saņēmējs Maksājuma mērķis Maksājums Izmaksāt Piezīmes Kopā Mēnesis Janvāris Februāris
    Aprīlis Jūnijs Jūlijs Pilsēta Uzņēmums Rīga Reģistrācijas Sagatavoja Apstiprināja Grāmatvedis Konta numurs
    Saņēmēja Nodokļi Atlīdzība Pārskaitījums Rēķins Rēķina Sabiedrība`,
  lt: `Pavardė Gavėjas Gavėjo Sąskaita Sąskaitos Mokėjimo Mokėjimas Atlyginimas užmokestis Išmokėti Pastabos Iš
    Mėnuo Gegužė Birželis Rugpjūtis Rugsėjis Įmonė Įmonės Klaipėda Šiauliai Panevėžys Mokėtojas Parengė
    Patvirtino Buhalterė Mokesčiai Išmoka Pavadinimas Būsena Šalis Žyma Paskirtis Pervedimas Mokėtina`,
  et: `Töötasu Väljamakse Kuupäev Märkused Märts Töötaja Ettevõte Tööandja Põhjus Pärnu Võru Põlva Jõhvi Sünniaeg
    Osaühing Käibemaks Võlg Hüvitis Tähtaeg Täpsustus Ülekanne Õppepuhkus`,
  es: `Nómina Nóminas Número Descripción Código Dirección Población Teléfono Período Líquido Retención Cotización
    Compañía Año Días Comisión Liquidación Préstamo Kilómetros Antigüedad Categoría Devolución Indemnización
    Operación Facturación Página Núm España Málaga Cádiz Córdoba Coruña León Jaén Cáceres Almería México Perú
    Bogotá Medellín Panamá Crédito Débito Observación Razón Identificación Emisión Señor Señora Mañana Baño Niño
    Diseño Enseñanza Albañil Campaña Montaña`,
  de: `Empfänger Währung Überweisung Gehälter Löhne Vergütung Prämie Straße Köln München Düsseldorf Nürnberg Zürich
    Österreich für März Gebühr Rückerstattung Beschäftigte Begünstigter Zahlungsempfänger Geschäftsführer
    Gläubiger Schlüssel Prüfung Übertrag Büro Änderung Künstler Ärzte Großhandel Süd Möbel Bäckerei Gärtnerei`,
  fr: `Bénéficiaire Libellé Référence Société Salarié Employé Prénom Numéro Téléphone Rémunération Période Février
    Août Décembre Opération Règlement Émetteur Crédit Débit Intérêt Congés payés Édition Créé Activité Générale
    Dû Reçu Hôtel Café Bâtiment Électricité Français Française Ingénierie Énergie Santé Règle Fête Prêt Élève
    Mètre Misère Première Dernière Carrière Crèche Évènement Complément Arrêt Enquête Payé à`,
  pt: `Número Código Descrição Referência Beneficiário Funcionário Salário Líquido Líquida Férias Mês Março
    Remuneração Retenção Contribuição Agência Operação Câmbio Crédito Débito Período Endereço São Brasília Ceará
    Amapá Maranhão Goiás Paraná Piauí Município Observação Observações Histórico Lançamento Emissão Situação
    Cartão Pensão Bonificação Comissão Não Irmãos Pães Anuênio`,
  it: `Società Città Attività Qualità Mensilità Indennità Priorità Modalità Località Perché Più Già Così Unità
    Identità Età Tredicesimà Università Università`,
  sv: `Förnamn Lön Löner Företag Månad Ändamål År Övrigt Göteborg Malmö Västerås Örebro Jönköping Norrköping Umeå
    Gävle Luleå Södertälje Borås Anställd Överföring Rådgivning Försäljning Åkeri Måleri För På Från Från Även
    Lönespecifikation Avgår Härnösand`,
  nb: `Beløp Lønn Måned Årsak Øvrig Beløb Løn Århus Ålborg Køb Øre Fødselsdato Fødselsnummer Ansættelse Tillæg Træk
    Bemærkning Lønart Overførsel Overføring Tromsø På Før Må År Både Lønning`,
  tw: `戶名 姓名 帳號 帳戶 銀行 分行 金額 幣別 備註 薪資 薪水 獎金 轉帳 匯款 收款人 付款 日期 統一編號 身分證字號 員工編號 部門 公司 合計 摘要 用途 新台幣 元`,
  ko: `이름 성명 예금주 계좌번호 계좌 은행 은행명 지점 금액 통화 비고 급여 상여 이체 송금 받는분 내용 날짜 일자 사번 부서 회사 합계 적요 원`,
  zh: `序号 编号 姓名 户名 收款人 收款方 收款账号 收款户名 付款 付款账号 银行账号 卡号 开户行 开户银行 开户支行 联行号 支行 分行 省份 城市 金额 元 人民币 币种 实发工资
    应发工资 工资 奖金 报销 薪资 发放 代发 转账 汇款 交易描述 用途 备注 摘要 附言 结算 日期 电话 手机 身份证 证件 类型 部门 公司 有限公司 科技 贸易 支付宝
    银行卡 微信 方式 状态 已付 未付 合计 总计 小计 制表 审核 年 月 日 中国银行 工商银行 建设银行 农业银行 交通银行 招商银行 邮政储蓄 民生 浦发 兴业 光大 员工 工号`,
  ja: `氏名 名前 受取人 受取人名 口座名義 口座番号 口座種別 預金種目 銀行 銀行名 銀行コード 支店 支店名 支店コード 金額 振込金額 支払金額 給与 賞与 支給額 差引支給額
    手数料 手数料負担 負担 摘要 備考 日付 年月日 振込 振込日 支払 支払日 種別 区分 番号 社員番号 部署 会社 株式会社 有限会社 合同会社 合計 普通 当座 先方 当方 円 情報`,
} as const;
