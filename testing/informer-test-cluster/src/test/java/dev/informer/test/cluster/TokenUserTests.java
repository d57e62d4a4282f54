/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TokenUserTests {

	@Test
	void line_hasFormatOfTokenFile() {
		TokenUser user = new TokenUser("jane@example.com", "s3cret", List.of("system:masters", "team/web"));
		assertThat(user.toLine()).isEqualTo("s3cret,jane@example.com,jane@example.com,\"system:masters,team/web\"");
	}

	@Test
	void tokenWithSeparator_isRejectedWithoutDisclosure() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TokenUser("jane", "a,b", List.of()))
			.withMessageContaining("token of user jane")
			.withMessageNotContaining("a,b");
	}

	@Test
	void groupWithQuote_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TokenUser("jane", "t", List.of("one", "a\"b")))
			.withMessageContaining("group of user jane");
	}

}
