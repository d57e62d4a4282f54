/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.charset.StandardCharsets;

import dev.informer.client.protobuf.SharedMessages.Entry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedMessages}.
 */
class SharedMessagesTests {

	private static final Object OWNER = "owner";

	private static final int MAX_BYTES = 1 << 16;

	private final SharedMessages shared = new SharedMessages(MAX_BYTES);

	@Test
	void addedBytes_areFoundInAnyBuffer() {
		byte[] bytes = bytes("an environment");
		this.shared.add(OWNER, hash(bytes), bytes, "decoded");
		byte[] buffer = bytes("before an environment behind");
		int offset = "before ".length();
		Entry found = this.shared.find(OWNER, this.shared.hash(OWNER.hashCode(), buffer, offset, bytes.length), buffer,
				offset, bytes.length);
		assertThat(found).extracting(Entry::value).isEqualTo("decoded");
	}

	@Test
	void bytesOfAnotherOwner_areNotFound() {
		byte[] bytes = bytes("an environment");
		this.shared.add(OWNER, 1, bytes, "decoded");
		assertThat(this.shared.find("other", 1, bytes, 0, bytes.length)).isNull();
	}

	@Test
	void hash_dependsOnEachByte() {
		byte[] bytes = bytes("the length of this text is no multiple of eight");
		int hash = hash(bytes);
		for (int i = 0; i < bytes.length; i++) {
			bytes[i]++;
			assertThat(hash(bytes)).as("byte %d", i).isNotEqualTo(hash);
			bytes[i]--;
		}
	}

	@Test
	void bytesAreSeenAgain_atTheSecondTime() {
		int hash = hash(bytes("an environment"));
		assertThat(this.shared.isSeenAgain(hash)).isFalse();
		assertThat(this.shared.isSeenAgain(hash)).isTrue();
	}

	@Test
	void memory_isBounded() {
		for (int i = 0; i < 100_000; i++) {
			add("a part of a pod that will never be seen again, number " + i);
			assertThat(this.shared.bytes()).isLessThanOrEqualTo(MAX_BYTES);
		}
		assertThat(this.shared.bytes()).isGreaterThan(MAX_BYTES / 2);
	}

	@Test
	void partThatIsUsed_isNotDisplacedByOthersThatAreNot() {
		add("an environment that many pods have");
		for (int i = 0; i < 100_000; i++) {
			add("a part of a pod that will never be seen again, number " + i);
			if (i % 100 == 0) {
				assertThat(find("an environment that many pods have")).as("after %d", i).isNotNull();
			}
		}
	}

	@Test
	void partThatIsNoLongerUsed_isDisplaced() {
		add("an environment that many pods had");
		assertThat(find("an environment that many pods had")).isNotNull();
		for (int i = 0; i < 100_000; i++) {
			add("a part of a pod that will never be seen again, number " + i);
		}
		assertThat(find("an environment that many pods had")).isNull();
	}

	@Test
	void collidingHashes_neverFindOtherBytes_andLeaveWhatIsUsed() {
		byte[] used = bytes("an environment that many pods have");
		this.shared.add(OWNER, 7, used, "used");
		for (int i = 0; i < 10_000; i++) {
			byte[] garbage = bytes("garbage number " + i);
			assertThat(this.shared.find(OWNER, 7, garbage, 0, garbage.length)).isNull();
			this.shared.add(OWNER, 7, garbage, i);
			assertThat(this.shared.find(OWNER, 7, used, 0, used.length)).as("after %d", i)
				.extracting(Entry::value)
				.isEqualTo("used");
		}
		assertThat(this.shared.bytes()).isLessThan(200);
	}

	private void add(String text) {
		byte[] bytes = bytes(text);
		this.shared.add(OWNER, hash(bytes), bytes, text);
	}

	private @Nullable Entry find(String text) {
		byte[] bytes = bytes(text);
		return this.shared.find(OWNER, hash(bytes), bytes, 0, bytes.length);
	}

	private int hash(byte[] bytes) {
		return this.shared.hash(OWNER.hashCode(), bytes, 0, bytes.length);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
