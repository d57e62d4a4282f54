/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import dev.informer.InformerFailure;
import dev.informer.InformerListener.ListMode;
import dev.informer.InformerListener.RelistReason;
import dev.informer.InformerListener.WatchEnd;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent.ChangeType;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Notes what a reflector brings and tells.
 */
final class Recorder implements ReflectorSink<V1Pod>, ReflectorListener {

	final List<String> calls = new ArrayList<>();

	final List<InformerState> states = new ArrayList<>();

	final List<Phase> phases = new ArrayList<>();

	final List<WatchEnd> ends = new ArrayList<>();

	final List<RelistReason> relists = new ArrayList<>();

	final List<InformerFailure> failures = new ArrayList<>();

	/** What is stored of an object, whichever it is. */
	@Nullable V1Pod known;

	private long history;

	@Override
	public @Nullable V1Pod known(ObjectState state, long history) {
		return (history == this.history) ? this.known : null;
	}

	@Override
	public void replace(Listing<V1Pod> listing) {
		this.calls
			.add("replace " + listing.objects().stream().map((pod) -> pod.getMetadata().getName()).toList() + " at "
					+ listing.resourceVersion() + ((listing.history() == this.history) ? "" : " of another history")
					+ (listing.deleted().isEmpty() ? "" : " without " + new TreeSet<>(listing.deleted())));
		this.history = listing.history();
	}

	@Override
	public void change(ChangeType type, V1Pod object, String resourceVersion) {
		this.calls.add(type + " " + object.getMetadata().getName() + " at " + resourceVersion);
	}

	@Override
	public void undecodableChange(ChangeType type, UndecodableObject object, String resourceVersion) {
		this.calls.add(type + " broken " + object.name() + " at " + resourceVersion);
	}

	@Override
	public void progress(String resourceVersion) {
		this.calls.add("progress " + resourceVersion);
	}

	@Override
	public void stateChanged(InformerState state) {
		this.states.add(state);
		this.phases.add(state.phase());
	}

	@Override
	public void listed(ListMode mode, Duration time, boolean success) {
	}

	@Override
	public void watchEnded(WatchEnd reason) {
		this.ends.add(reason);
	}

	@Override
	public void relisting(RelistReason reason) {
		this.relists.add(reason);
	}

	@Override
	public void failed(InformerFailure failure) {
		this.failures.add(failure);
	}

}
