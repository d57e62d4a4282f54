/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Base64.Encoder;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UntrustedText}.
 */
class UntrustedTextTests {

	@Test
	void controlCharacters_areReplaced() {
		assertThat(UntrustedText.of("a\r\nWARN b\u001b[31m\tc\u0000\u009bd\u2028e\u2029f\u0085g"))
			.isEqualTo("a WARN b [31m c d e f g");
		assertThat(UntrustedText.of("a\u202eb\u2066c\u200bd\ufeffe\u00ade\udb40\udc41f\ud800g")).isEqualTo("abcdeefg");
		assertThat(UntrustedText.of("\u00fcml\u00e4ut \u65e5\u672c \ud83d\ude00"))
			.isEqualTo("\u00fcml\u00e4ut \u65e5\u672c \ud83d\ude00");
		assertThat(UntrustedText.of("  a \n\n b  ")).isEqualTo("a b");
		assertThat(UntrustedText.of(null)).isEmpty();
	}

	@Test
	void length_isBounded() {
		assertThat(UntrustedText.of("x".repeat(900_000))).hasSize(500).endsWith("x\u2026");
		assertThat(UntrustedText.of("a name", 4)).isEqualTo("a n\u2026");
		assertThat(UntrustedText.of("\ud83d\ude00".repeat(500))).hasSizeLessThanOrEqualTo(500)
			.endsWith("\ud83d\ude00\u2026");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization: Bearer %s", "authorization: Basic %s", "Authorization: %s",
			"AUTHORIZATION: AWS4-HMAC-SHA256 Credential=AKIA1/us, Signature=%s", "Proxy-Authorization: Digest a=b, %s",
			"Cookie: a=b; session=%s", "Set-Cookie: sid=%s; Path=/", "{\"Authorization\":[\"Bearer %s\"]}",
			"{\\\"Authorization\\\":\\\"Bearer %s\\\"}", "map[Authorization:[Bearer %s] Host:[x]]",
			"{'Cookie': 'a=\"b\"; c=%s'}", "('Authorization', 'Negotiate %s')",
			"{\"name\":\"Cookie\",\"value\":\"%s\"}", "<tr><td>Authorization</td>\n<td>Bearer %s</td>",
			"<td>cookie</td><td class=\"x\">a=%s</td>", "bearer %s", "Bearer%%20%s", "token: %s", "token=%s",
			"\"id_token\" : \"%s\"", "access_token=%s&x=y", "password=%s", "\"password\":\"a b %s\"", "passwd: '%s'",
			"client_secret=%s", "AWS_SECRET_ACCESS_KEY=%s", "aws_session_token = %s", "X-Amz-Signature=%s&X-Amz-Date=1",
			"X-Amz-Security-Token: %s", "X-Auth-Token: Bearer %s", "x-api-key: %s", "api_key=%s", "client-key-data: %s",
			"credentials: %s", "https://user:%s@example.com/", "https://%s@example.com/", "socks5://a:b/%s@proxy:1",
			"-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----", "-----BEGIN EC PRIVATE KEY-----\\n%s",
			"secret%%3D%s" })
	void namedCredential_isMasked(String text) {
		String secret = "q8Zr7Hw2pL5x";
		for (String answer : List.of(text, "502: " + text + "\nHost: x", "a\r\n" + text + "\r\nb")) {
			assertThat(UntrustedText.of(answer.formatted(secret))).contains("***").doesNotContain(secret);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln-_x", "AKIAIOSFODNN7EXAMPLE",
			"ASIAIOSFODNN7EXAMPLE", "ghp_0123456789abcdefABCDEF0123456789abcd", "gho_0123456789abcdef",
			"github_pat_11ABCDEFG0abcdefghij_xyz", "glpat-0123456789abcdefghij", "xoxb-0123456789-abc",
			"sha256~0123456789abcdefghijABCDEFG", "k8s-aws-v1.aHR0cHM6Ly9zdHM", "ya29.a0AfH6SMBx-y",
			"eyJhbGciOiJSUzI1NiJ9%2EeyJpc3MiOiJ4In0%2Ec2ln", "ZXlKaGJHY2lPaUpTVXpJMU5pSjkuZXlK",
			"QmVhcmVyIHNlY3JldC1vcGFxdWU=", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVk=",
			"AIzaSyA0123456789abcdefghijklmnopqrstuv" })
	void credentialWithKnownForm_isMasked(String credential) {
		assertThat(UntrustedText.of("rejected " + credential + " of user")).isEqualTo("rejected *** of user");
		assertThat(UntrustedText.of("(\"" + credential + "\")")).isEqualTo("(\"***\")");
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"pods is forbidden: User \"system:serviceaccount:a:b\" cannot list resource \"pods\" in API "
					+ "group \"\" in the namespace \"shop\"",
			"secrets \"credentials\" is forbidden: User \"a\" cannot get resource \"secrets\"",
			"User \"system:serviceaccount:credentials:reader\" cannot list resource \"pods\"",
			"User \"system:serviceaccount:my-token.secrets:reader\" cannot list resource \"pods\"",
			"[invalid bearer token, token lookup failed]", "Unauthorized", "basic authentication is disabled",
			"x509: certificate is not valid: basic constraints", "https://10.0.0.1:6443/api/v1/pods?watch=true",
			"too old resource version: 1 (2)", "shop/token-refresher-5d4f7b9c6-x2x4z",
			"Internal error occurred: failed calling webhook \"a.example.com\": Post \"https://a.b.svc:443/x?timeout=10s\": "
					+ "context deadline exceeded" })
	void usualText_isNotChanged(String text) {
		assertThat(UntrustedText.of(text)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization: Bearer abcdefgh\nHost: x", "token: abcdefgh; more", "https://a:b@c/",
			"Basic dXNlcjpwYXNz and", "secret=\"a b\" c" })
	void maskedText_isNotChanged(String text) {
		String masked = UntrustedText.of(text);
		assertThat(masked).contains("***");
		assertThat(UntrustedText.of("of 1: " + masked + "; next. Check it."))
			.isEqualTo("of 1: " + masked + "; next. Check it.");
	}

	@Test
	void credentialInUse_isMasked_untilItsOwnerForgetsIt() {
		Object owner = new Object();
		UntrustedText.mask(owner, List.of("q8/Zr+opaque7", "short"));
		try {
			assertThat(UntrustedText.of("got q8/Zr+opaque7 q8\\/Zr+opaque7 q8%2FZr%2Bopaque7 short"))
				.isEqualTo("got *** *** *** short");
			UntrustedText.mask(owner, List.of("abcdefgh.only-a-name"));
			assertThat(UntrustedText.of("shop/abcdefgh.only-a-name")).isEqualTo("shop/***");
			assertThat(UntrustedText.of("x".repeat(490) + "q8/Zr+opaque7")).endsWith("x***");
		}
		finally {
			UntrustedText.forget(owner);
		}
		assertThat(UntrustedText.of("got q8/Zr+opaque7")).isEqualTo("got q8/Zr+opaque7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "q8/Zr+opaque7?>~", "abcdefgh", "\u00fc\u00e4\u00f6\u00df-\u65e5\u672c-opaque" })
	void credentialInUse_isMaskedInOtherEncodings(String credential) {
		Object owner = new Object();
		UntrustedText.mask(owner, List.of(credential));
		try {
			for (String prefix : List.of("", "u", "u:", "user:", "Bearer ")) {
				for (String suffix : List.of("", "x", "xy", "xyz")) {
					byte[] bytes = (prefix + credential + suffix).getBytes(StandardCharsets.UTF_8);
					for (Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder().withoutPadding())) {
						String encoded = encoder.encodeToString(bytes);
						assertThat(UntrustedText.of("got " + encoded + " and")).startsWith("got ")
							.contains("***")
							.hasSizeLessThan(30);
						assertThat(UntrustedText.of(URLEncoder.encode(encoded, StandardCharsets.UTF_8))).contains("***")
							.hasSizeLessThan(30);
					}
				}
			}
		}
		finally {
			UntrustedText.forget(owner);
		}
	}

	@Test
	void credentialInUse_isMaskedWithAnyPercentEncoding() {
		Object owner = new Object();
		String credential = "q8/Zr+opaque7";
		UntrustedText.mask(owner, List.of(credential));
		try {
			String all = credential.chars().mapToObj("%%%02x"::formatted).collect(Collectors.joining());
			for (String encoded : List.of("q8%2fZr%2bopaque7", "q8%2FZr+opaque7", all, all.replace("%", "%25"),
					all.replace("%", "%252525"), "q8/Zr+opaqu%65%37")) {
				assertThat(UntrustedText.of("a%20" + encoded + "%20b%")).isEqualTo("a%20***%20b%");
				assertThat(UntrustedText.line("a " + encoded + encoded, 100)).isEqualTo("a ******");
			}
		}
		finally {
			UntrustedText.forget(owner);
		}
	}

	@Test
	void lineOfThisProcess_keepsNamesOfCredentials() {
		String line = "Informer 'secrets': Handler 'token' failed on ADDED of default/a";
		assertThat(UntrustedText.line(line, 500)).isEqualTo(line);
		assertThat(UntrustedText.line("a\r\nb", 500)).isEqualTo("a b");
		assertThat(UntrustedText.line(line, 10)).hasSizeLessThanOrEqualTo(10);
	}

	@Test
	void latestCredentials_areKnown() {
		Object owner = new Object();
		for (int i = 0; i < 1000; i++) {
			UntrustedText.mask(owner, List.of("credential-" + i + "x"));
		}
		try {
			assertThat(UntrustedText.of("credential-999x credential-998x credential-1x"))
				.isEqualTo("*** *** credential-1x");
		}
		finally {
			UntrustedText.forget(owner);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "token", "-----BEGIN ", "eyJ", "://", "://a:", "authorization", "<td>", "\"", "\\",
			"bearer ", "%25", "cookie</td><td ", "token</td>      <td" })
	@Timeout(20)
	void repeatedText_isReadInTime(String part) {
		assertThat(UntrustedText.of(part.repeat(1_000_000 / part.length()))).hasSizeLessThanOrEqualTo(500);
	}

}
