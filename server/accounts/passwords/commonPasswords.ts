/** The passwords that attackers try first, of 8 characters or more, in lower case. */
const WORDS = `
00000000 000000000 0000000000 01234567 012345678 0123456789 0987654321 1029384756 11111111 111111111 1111111111
11223344 112233445566 12121212 12131415 123123123 123123123a 123321123 1234567890 12345678 123456789 12345678910
123456789a 123456780 12345679 1234abcd 12341234 1234512345 123qweasd 123qweasdzxc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020 21212121 22222222 222222222 23232323 33333333 3333333333 44444444 55555555
555555555 5555555555 66666666 666666666 69696969 77777777 777777777 7777777777 78787878 87654321 88888888 888888888
8888888888 98765432 987654321 9876543210 99999999 999999999 9999999999 a1234567 a12345678 a123456789 a1b2c3d4
a1b2c3d4e5 aa123456 aa12345678 aaaaaaaa aaaaaaaaaa abc12345 abc123456 abc123abc abcd1234 abcd12345 abcdefgh
abcdefghi abcdefghij abcdef123 access14 admin123 admin1234 admin12345 admin123456 adminadmin administrator
alexander alexandra arsenal1 arsenal123 asdf1234 asdfasdf asdfghjk asdfghjkl asdfghjkl1 asd123456 asdasdasd
azerty123 azertyuiop barcelona baseball baseball1 basketball batman123 benjamin blink182 bollocks butterfly
california capslock caroline celtic1888 changeme changeme1 changeme123 changethis charlie1 charlie123 charlotte
chelsea1 chelsea123 chocolate christian christine christmas clearway clearway1 clearway123 computer computer1
coventry cristina danielle december default1 default123 dolphins dragon123 einstein elephant elizabeth england1
everton1 everton1878 everything fernando flower123 football football1 football123 freedom1 friends1 fuckyou1
gabriela garfield gateway1 google123 guest123 guestguest hardcore harrypotter hello123 hello1234 hellohello
iloveyou iloveyou1 iloveyou2 iloveyou123 iloveyouu internet jennifer jessica1 jonathan jordan23 kimberly
lalalala letmein1 letmein12 letmein123 letmeinnow liverpool liverpool1 liverpool123 london123 london2012 login123
loveyou1 lovelove manchester manchester1 manutd123 marlboro master123 maverick mercedes metallica michael1
michelle midnight mickeymouse minecraft monkey123 motorola mustang1 mypassword myspace1 natalie1 nicholas nicole123
november nothing1 p4ssw0rd p4ssword pa55w0rd pa55word pakistan pass1234 pass12345 passpass passw0rd passw0rd1
passw0rd123 password password! password0 password01 password1 password1! password10 password11 password12 password123
password123! password1234 password12345 password2 password3 password99 passwordpassword passwort patricia
pineapple pokemon1 pokemon123 portugal precious princess princess1 princess123 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
qazwsx123 qazwsxed qazwsxedc qwaszx12 qwer1234 qwerasdf qwerqwer qwert123 qwert1234 qwert12345 qwerty01 qwerty12
qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertyui qwertyuiop qwertyuiop1 qwe123qwe qweasdzxc
qweqweqwe rainbow1 rangers1 samantha samsung1 scotland secret123 september shadow123 sheffield slipknot snowball
snoopdog sophie123 southampton spiderman spiderman1 starwars starwars1 steelers stephanie summer123 summer2020
summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 sunderland sunflower sunshine sunshine1 superman
superman1 superman123 sweetheart swordfish test1234 test12345 testtest testtest1 testing1 testing123 thomas123
tottenham tottenham1 trustno1 undertaker valentina valentine vanessa1 veronica victoria victoria1 volleyball
webmaster welcome1 welcome12 welcome123 welcome1234 westham1 whatever whatever1 william1 winter123 winter2024
winter2025 woaini1314 xxxxxxxx yankees1 yellow123 zaq12wsx zaq1zaq1 zaq1xsw2 zxcvbnm1 zxcvbnm123 zxcvbnma zzzzzzzz
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
