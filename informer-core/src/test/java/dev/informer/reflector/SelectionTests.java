/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.testing.ScriptedSource.status;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link Reflector} whose selected objects change.
 */
class SelectionTests {

	private static final int DENIED_WATCHES = 400;

	private final ScriptedSource source = new ScriptedSource();

	private final List<ListRequest> lists = new ArrayList<>();

	@Test
	void listOfSelectedObjectsFails_whileTheWatchIsDenied_isRepeatedBeforeAWatch() {
		Recorder recorder = new Recorder();
		Reflector<V1Pod> reflector = recorder.reflector(this.source, FakeTime.autoAdvancing());
		reflector.select(objects(0));
		this.source.list(this::succeed).list((request, sink) -> {
			// the list in place of the watch
			reflector.select(objects(0, 1));
			return fail(request);
		}).list((request, sink) -> fail(request)).list(this::succeed);
		for (int i = 0; i < DENIED_WATCHES; i++) {
			this.source.watchFails(403, "Forbidden");
		}
		reflector.run();
		assertThat(this.lists).extracting(ListRequest::selector)
			.containsExactly(objects(0), objects(0), objects(0, 1), objects(0, 1));
		String list = "LIST \"10\"";
		assertThat(this.source.requests()).as("without a watch in between").containsSequence(list, list);
		assertThat(recorder.relists).contains(RelistReason.WATCHED_SET);
	}

	@Test
	void selectionBetweenThePagesOfAList_listsFromTheStart() {
		Reflector<V1Pod> reflector = new Recorder().reflector(this.source, FakeTime.autoAdvancing());
		reflector.select(objects(0));
		this.source.list((request, sink) -> {
			this.lists.add(request);
			return new ListPage("10", "next");
		}).list((request, sink) -> {
			reflector.select(objects(1));
			throw new IOException("for the test");
		}).list(this::succeed);
		reflector.run();
		assertThat(this.lists).extracting(ListRequest::selector).containsExactly(objects(0), objects(1));
		assertThat(this.lists).extracting(ListRequest::continueToken).containsOnlyNulls();
	}

	private ListPage succeed(ListRequest request, Object sink) {
		this.lists.add(request);
		return new ListPage("10", null);
	}

	private ListPage fail(ListRequest request) throws ServerStatusException {
		this.lists.add(request);
		throw new ServerStatusException(status(500, "InternalError"));
	}

	private static ObjectSelector objects(Integer... numbers) {
		return new Numbers(Set.of(numbers));
	}

	private record Numbers(Set<Integer> numbers) implements ObjectSelector {

		@Override
		public boolean excludes(ObjectState state) {
			return false;
		}

	}

}
