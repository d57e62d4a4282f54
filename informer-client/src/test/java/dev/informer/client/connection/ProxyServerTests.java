/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ProxyServer}.
 */
class ProxyServerTests {

	@ParameterizedTest
	@CsvSource({ "https://one:1,has the scheme https", "ftp://one,is not the URL of a proxy", "one,is not the URL",
			"http://me:se@cret@one:1,that is not encoded", "http://me:se#cret@one:1,that is not encoded",
			"http://me:1/secret@one:1,contains a path", "http://me:se%cret@one:1,is not the URL of a proxy",
			"socks5://me:secret@one,which only HTTP proxies support", "http://one?a=b,contains a path" })
	void invalidUrl_isRejectedWithoutPassword(String url, String problem) {
		assertThatIllegalArgumentException().isThrownBy(() -> ProxyServer.at(url, IllegalArgumentException::new))
			.withMessageContaining(problem)
			.withMessageNotContaining("cret")
			.withNoCause();
	}

	@Test
	void text_hasNoPassword() {
		assertThat(ProxyServer.at("http://me:secret@proxy", IllegalArgumentException::new))
			.hasToString("HTTP @ proxy/<unresolved>:80");
		assertThat(ProxyServer.at("SOCKS5://proxy/", IllegalArgumentException::new))
			.hasToString("SOCKS @ proxy/<unresolved>:1080");
		assertThat(ProxyServer.at("http://m_e:secret@_proxy_1:3128", IllegalArgumentException::new))
			.hasToString("HTTP @ _proxy_1/<unresolved>:3128");
		assertThat(ProxyServer.at("socks5://proxy_1", IllegalArgumentException::new))
			.hasToString("SOCKS @ proxy_1/<unresolved>:1080");
	}

}
