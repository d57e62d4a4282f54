/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.Delta;
import dev.informer.client.ObjectState;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Records the deltas and the events of a reflector.
 */
final class Recorder implements ReflectorSink<V1Pod>, InformerListener {

	final List<String> calls = new ArrayList<>();

	final List<InformerState> states = new ArrayList<>();

	final List<Phase> phases = new ArrayList<>();

	final List<InformerEvent.Listed> lists = new ArrayList<>();

	final List<WatchEnd> ends = new ArrayList<>();

	final List<RelistReason> relists = new ArrayList<>();

	final List<InformerFailure> failures = new ArrayList<>();

	/** The cached object of every key. */
	@Nullable V1Pod known;

	private final Map<String, ObjectState> cached = new HashMap<>();

	private long epoch;

	@Override
	public @Nullable V1Pod known(String namespace, long epoch, ObjectState state) {
		return (epoch == this.epoch) ? this.known : null;
	}

	@Override
	public Map<String, ObjectState> cachedAt(String namespace, String resourceVersion) {
		return new HashMap<>(this.cached);
	}

	@Override
	public void accept(Delta<V1Pod> delta) {
		if (delta instanceof Delta.ReplacedAll<V1Pod> state) {
			this.calls
				.add("replace " + state.objects().values().stream().map((pod) -> pod.getMetadata().getName()).toList()
						+ " at " + state.resourceVersion() + ((state.epoch() == this.epoch) ? "" : " of another epoch")
						+ (state.deleted().isEmpty() ? "" : " without " + new TreeSet<>(state.deleted())));
			this.epoch = state.epoch();
			this.cached.clear();
			state.objects().forEach((key, object) -> this.cached.put(key, ObjectState.of(object)));
		}
		else if (delta instanceof Delta.Upserted<V1Pod> change) {
			this.cached.put(change.key(), ObjectState.of(change.object()));
			this.calls.add("upsert " + change.object().getMetadata().getName() + " at " + change.resourceVersion());
		}
		else if (delta instanceof Delta.Deleted<V1Pod> deletion) {
			this.cached.remove(deletion.key());
			this.calls.add("delete " + deletion.key() + " at " + deletion.resourceVersion());
		}
		else if (delta instanceof Delta.Bookmark<V1Pod> bookmark) {
			this.calls.add("bookmark " + bookmark.resourceVersion());
		}
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.StateChanged changed) {
			this.states.add(changed.state());
			this.phases.add(changed.state().phase());
		}
		else if (event instanceof InformerEvent.Listed listed) {
			this.lists.add(listed);
		}
		else if (event instanceof InformerEvent.WatchEnded ended) {
			this.ends.add(ended.reason());
		}
		else if (event instanceof InformerEvent.Relisting relisting) {
			this.relists.add(relisting.reason());
		}
		else if (event instanceof InformerEvent.Failed failed) {
			this.failures.add(failed.failure());
		}
	}

}
