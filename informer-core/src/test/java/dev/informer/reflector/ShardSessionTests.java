/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.Shard;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ServerStatusException;
import dev.informer.client.ShardSelector;
import dev.informer.conformance.Conformance;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.testing.ScriptedSource.status;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShardSession}.
 */
class ShardSessionTests {

	private static final int DENIED_WATCHES = 400;

	private final ScriptedSource source = new ScriptedSource();

	private final List<ListRequest> lists = new ArrayList<>();

	@Test
	void listOfAssignedSlotsFails_whileTheWatchIsDenied_isRepeatedBeforeAWatch() {
		Reflector<V1Pod> reflector = new Recorder().reflector(this.source, FakeTime.autoAdvancing());
		reflector.assign(shard(0));
		this.source.list(this::succeed).list((request, sink) -> {
			// the list in place of the watch
			reflector.assign(shard(0, 1));
			return fail(request);
		}).list((request, sink) -> fail(request)).list(this::succeed);
		for (int i = 0; i < DENIED_WATCHES; i++) {
			this.source.watchFails(403, "Forbidden");
		}
		reflector.run();
		assertThat(this.lists).extracting(ListRequest::exact).containsExactly(false, false, true, true);
		assertThat(this.lists).extracting(ListRequest::shard).containsExactly(shard(0), shard(0), shard(1), shard(1));
		String list = "LIST \"10\" limit 500";
		assertThat(this.source.requests()).as("without a watch in between").containsSequence(list, list);
	}

	@Conformance("objects of a shard: all are listed if the version of the watch has expired")
	@ParameterizedTest
	@CsvSource({ "410, Expired, EXPIRED", "500, InternalError, FAILURE" })
	void listOfAssignedSlotsFails_relistsAllSlots(int code, String statusReason, RelistReason reason) {
		Recorder recorder = new Recorder();
		Reflector<V1Pod> reflector = recorder.reflector(this.source, FakeTime.autoAdvancing());
		reflector.assign(shard(0));
		this.source.list((request, sink) -> {
			reflector.assign(shard(0, 1));
			return succeed(request, sink);
		}).list((request, sink) -> {
			this.lists.add(request);
			throw new ServerStatusException(status(code, statusReason));
		}).list(this::succeed);
		reflector.run();
		assertThat(this.lists).extracting(ListRequest::exact).containsExactly(false, true, false);
		assertThat(this.lists).extracting(ListRequest::shard).containsExactly(shard(0), shard(1), shard(0, 1));
		assertThat(recorder.relists).containsExactly(reason);
	}

	private ListPage succeed(ListRequest request, Object sink) {
		this.lists.add(request);
		return new ListPage("10", null);
	}

	private ListPage fail(ListRequest request) throws ServerStatusException {
		this.lists.add(request);
		throw new ServerStatusException(status(500, "InternalError"));
	}

	private static ShardSelector shard(Integer... slots) {
		return ShardSelector.of(Shard.Key.UID, 4, Set.of(slots));
	}

}
