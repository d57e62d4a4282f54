/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.informer.cache.ObjectSizes.SizeLimitException;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ObjectSizes}.
 */
class ObjectSizesTests {

	private final Indexer<V1Pod> cache = new Indexer<>((description, failure) -> {
	});

	private final ObjectSizes<V1Pod> sizes = sizes(100);

	@Test
	void withoutLimit_nothingIsCounted() {
		assertThat(this.cache.sizes(0)).isNull();
	}

	@Test
	void objectThatReachesTheLimit_isAccepted_andOneByteMoreIsNot() {
		upsert("a", 60);
		upsert("b", 40);
		assertExceeded("c", 1);
		assertExceeded("a", 61);
		upsert("a", 60);
	}

	@Test
	void replacedAndDeletedObjects_giveTheirSizeBack() {
		upsert("a", 60);
		upsert("a", 20);
		upsert("b", 80);
		delete("b");
		delete("b");
		upsert("c", 80);
		assertExceeded("d", 1);
	}

	@Test
	void objectThatWasNotHandedOver_doesNotCount() {
		received("a", 60);
		received("b", 60);
		this.sizes.handedOver(new Delta.Bookmark<>("", "2"));
		upsert("c", 100);
	}

	@Test
	void objectWhoseTransformFails_countsWithTheStateThatIsKept() {
		upsert("a", 60);
		received("a", 10);
		this.sizes.handedOver(new Delta.Unreadable<>("", "shop/a", state("a"), "3"));
		assertExceeded("b", 41);
		upsert("b", 40);
	}

	@Test
	void list_countsInPlaceOfWhatItReplaces() {
		upsert("a", 90);
		this.sizes.beginList();
		received("a", 50);
		received("b", 50);
		assertExceeded("c", 1);
		this.sizes.endList();
		this.sizes.beginList();
		received("b", 30);
		received("b", 40);
		replace(List.of("b"), List.of());
		assertExceeded("a", 61);
		upsert("a", 60);
	}

	@Test
	void listWithUndecodableObjects_countsTheStatesThatAreKept() {
		upsert("a", 30);
		upsert("b", 30);
		upsert("c", 30);
		this.sizes.beginList();
		received("b", 20);
		replace(List.of("b"), List.of("a"));
		assertExceeded("d", 51);
		this.sizes.beginList();
		replace(List.of(), List.of(""));
		assertExceeded("d", 51);
		upsert("d", 50);
	}

	@Test
	void reflectorsOfAStore_shareTheLimit() {
		ObjectSizes<V1Pod> other = sizes(100);
		upsert("a", 60);
		assertThatExceptionOfType(SizeLimitException.class).isThrownBy(() -> other.received(pod("b"), 41))
			.withMessage("the objects exceed the max-size of 100 bytes");
		this.sizes.beginList();
		received("a", 90);
		assertThatExceptionOfType(SizeLimitException.class).isThrownBy(() -> other.received(pod("b"), 11));
		this.sizes.endList();
		other.received(pod("b"), 40);
		this.sizes.close();
		this.sizes.endList();
		this.sizes.handedOver(new Delta.Bookmark<>("", "2"));
		other.received(pod("b"), 100);
	}

	@Test
	void limitOfMegabytes_isNamedSo() {
		assertThatExceptionOfType(SizeLimitException.class).isThrownBy(() -> sizes(3 << 20).received(pod("a"), 4 << 20))
			.withMessage("the objects exceed the max-size of 3 MB");
	}

	private ObjectSizes<V1Pod> sizes(long limit) {
		return Objects.requireNonNull(this.cache.sizes(limit));
	}

	private void assertExceeded(String name, long size) {
		assertThatExceptionOfType(SizeLimitException.class).isThrownBy(() -> received(name, size));
	}

	private void received(String name, long size) {
		this.sizes.received(pod(name), size);
	}

	private void upsert(String name, long size) {
		received(name, size);
		this.sizes.handedOver(new Delta.Upserted<>("", "shop/" + name, pod(name), "2"));
	}

	private void delete(String name) {
		this.sizes.handedOver(new Delta.Deleted<>("", "shop/" + name, null, "2"));
	}

	private void replace(List<String> names, List<String> undecodable) {
		List<UndecodableObject> unread = undecodable.stream()
			.map((name) -> new UndecodableObject(name.isEmpty() ? ObjectState.NONE : state(name), "broken"))
			.toList();
		this.sizes.handedOver(
				Delta.ofList("", names.stream().map(ObjectSizesTests::pod).toList(), unread, Set.of(), null, "9", 0));
	}

	private static ObjectState state(String name) {
		return new ObjectState("shop", name, "u-" + name, "2");
	}

	private static V1Pod pod(String name) {
		return TestObjects.pod("shop", name);
	}

}
