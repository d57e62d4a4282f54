/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerState.Phase;
import dev.informer.cache.Indexer;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.reflector.AttemptOutcome.Result;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Check whether the server was rolled back. After an outage the server may be another
 * one, or etcd may have been restored from a backup. The API server accepts a watch from
 * a version that it has not reached yet, and sends nothing until it has. A restored etcd
 * that has passed the last version again sends later changes only. Then the versions say
 * nothing, and the objects have to be compared.
 * <p>
 * Confined to the thread of its reflector, apart from {@link #isMissingObject()}.
 */
final class RollbackCheck<T extends KubernetesObject> {

	/** Number of differences after which there is no need to look for more. */
	private static final int MAX_DIFFERENCES = 1000;

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final Indexer<T> cache;

	private final ResourceVersionState versions;

	private final ReflectorStatus status;

	/**
	 * Cached objects that the server does not have, by key. A deletion that the next
	 * watch reports is the harmless reason.
	 */
	private final Map<String, ObjectState> missing = new ConcurrentHashMap<>();

	/** Version at which the objects were missing. */
	private String missingAt = "";

	/**
	 * Differences that the last list did not remove: those of objects that cannot be
	 * decoded or transformed.
	 */
	private Set<Difference> differences = Set.of();

	RollbackCheck(ReflectorSettings settings, ListerWatcher<T> source, Indexer<T> cache, ResourceVersionState versions,
			ReflectorStatus status) {
		this.settings = settings;
		this.source = source;
		this.cache = cache;
		this.versions = versions;
		this.status = status;
	}

	/**
	 * Request the current version of the server and compare it with the last one. One
	 * item without a resourceVersion is the cheapest request that reads from etcd.
	 */
	AttemptOutcome<T> checkVersion(Cancellation cancellation) {
		this.status.enter(Phase.CONNECTING);
		return check(cancellation, () -> {
			ListPage page = this.source.list(request("", 1, null), new Comparison(new HashMap<>()), cancellation);
			return this.versions.detectRollback(page.resourceVersion()) ? Result.ROLLED_BACK : Result.UNCHANGED;
		});
	}

	/**
	 * List the metadata of all objects and compare them with the cache, page by page. An
	 * object whose version is not later than the last one has to be cached as it is.
	 */
	AttemptOutcome<T> compareObjects(Cancellation cancellation) {
		this.status.enter(Phase.CONNECTING);
		this.missing.clear();
		Map<String, ObjectState> cached = this.cache.statesAt(this.settings.namespace(), this.versions.lastSync());
		if (cached == null) {
			return AttemptOutcome.of(Result.NOT_COMPARABLE);
		}
		return check(cancellation, () -> compare(new Comparison(cached), cancellation));
	}

	private Result compare(Comparison comparison, Cancellation cancellation) throws IOException {
		int limit = this.settings.options().pageSize();
		ListPage page = this.source.list(request("", limit, null), comparison, cancellation);
		String current = page.resourceVersion();
		if (this.versions.detectRollback(current)) {
			return Result.ROLLED_BACK;
		}
		comparison.progress.pageRead(page, comparison.items);
		while (page.continueToken() != null && comparison.found.size() < MAX_DIFFERENCES) {
			page = this.source.list(request(null, limit, page.continueToken()), comparison, cancellation);
			comparison.progress.pageRead(page, comparison.items);
		}
		boolean known = comparison.found.size() < MAX_DIFFERENCES && this.differences.containsAll(comparison.found);
		this.differences = comparison.found;
		boolean deletable = ResourceVersions.isBefore(this.versions.lastSync(), current);
		if (!known || (!comparison.cached.isEmpty() && !deletable)) {
			this.versions.rolledBack();
			return Result.ROLLED_BACK;
		}
		this.missing.putAll(comparison.cached);
		this.missingAt = current;
		return Result.UNCHANGED;
	}

	private ListRequest request(@Nullable String version, int limit, @Nullable String continueToken) {
		return new ListRequest(version, limit, continueToken, true, this.versions.selector());
	}

	private AttemptOutcome<T> check(Cancellation cancellation, Check check) {
		try {
			return AttemptOutcome.of(check.run());
		}
		catch (IOException | RuntimeException | Error ex) {
			if (cancellation.isCancelled()) {
				return AttemptOutcome.of(Result.CANCELLED);
			}
			this.status.watchEnded((ex instanceof ServerStatusException) ? WatchEnd.REFUSED : WatchEnd.UNREACHABLE);
			return AttemptOutcome.of(Result.CHECK_FAILED, ex);
		}
	}

	/**
	 * Take note of an event. A change of a missing object explains why it was missing.
	 * @return whether the watch has reached the comparison, and an object is still
	 * missing
	 */
	boolean isRolledBackAfter(WatchEvent<T> event) {
		if (this.missing.isEmpty()) {
			return false;
		}
		String key = event.state().key();
		if (key != null) {
			this.missing.remove(key);
		}
		return !this.missing.isEmpty() && !ResourceVersions.isBefore(this.versions.lastSync(), this.missingAt);
	}

	/**
	 * Return whether the deletion of a missing object was not reported yet. May be called
	 * by any thread.
	 */
	boolean isMissingObject() {
		return !this.missing.isEmpty();
	}

	/**
	 * Forget the missing objects, because a list replaces the cache.
	 */
	void listed() {
		this.missing.clear();
	}

	private interface Check {

		Result run() throws IOException;

	}

	/**
	 * Object whose state in the cache is not that on the server, although it was not
	 * changed after the last version.
	 */
	private record Difference(ObjectState listed, @Nullable ObjectState cached) {
	}

	/**
	 * Compares the items of a list with the cached objects, and removes each of them.
	 */
	private final class Comparison implements ListSink<T> {

		private final Map<String, ObjectState> cached;

		private final Set<Difference> found = new HashSet<>();

		private final PageProgress progress = new PageProgress(RollbackCheck.this.settings.options().pageSize());

		private long items;

		Comparison(Map<String, ObjectState> cached) {
			this.cached = cached;
		}

		@Override
		public void accept(T object) {
			compare(ObjectState.of(object));
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			compare(object.state());
		}

		private void compare(ObjectState listed) {
			this.progress.item(listed);
			this.items++;
			String key = listed.key();
			ObjectState known = (key != null) ? this.cached.remove(key) : null;
			String version = (listed.resourceVersion() != null) ? listed.resourceVersion() : "";
			boolean later = ResourceVersions.isBefore(RollbackCheck.this.versions.lastSync(), version);
			if (!later && (known == null || !listed.isSameAs(known))) {
				this.found.add(new Difference(listed, known));
			}
		}

	}

}
