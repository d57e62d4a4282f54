/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerOptions;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.cache.ObjectSizes;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.reflector.AttemptOutcome.Listed;
import dev.informer.reflector.AttemptOutcome.Result;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lists the resource, as a stream or by pages, and remembers between two lists what the
 * server supports. Never waits: after a failure the reflector does. As a lookup it has
 * the cached objects, but requires that each one is decoded. Confined to the thread of
 * its reflector.
 */
final class ListSession<T extends KubernetesObject> implements ObjectLookup<T> {

	/** Maximum time between two initial events. */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration UNUSABLE_TIME = Duration.ofHours(1);

	private static final int UNFINISHED_STREAMS = 2;

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final Indexer<T> cache;

	private final ResourceVersionState versions;

	private final ReflectorStatus status;

	private final TimeSource time;

	/** {@code null} without a limit. */
	private final @Nullable ObjectSizes<T> sizes;

	/** Nano time at which a streaming list lacked its bookmark. */
	private @Nullable Long streamUnusableSince;

	/** Number of streams in a row that the server closed before the bookmark. */
	private int unfinishedStreams;

	/** Whether the server answered the last request for a stream. */
	private boolean streamOpened;

	/** Whether the server ended the last list in one piece before its end. */
	private boolean cutOff;

	/** Whether the server pages lists that it could serve from its watch cache. */
	private boolean paginated;

	/** The list to resume. */
	private @Nullable PagedList<T> interrupted;

	/** When the list by pages began, or the first one that it replaces. */
	private long began;

	/** The version that the list by pages requests, {@code "0"} for any. */
	private String requestedVersion = "";

	/**
	 * Whether no object of the list by pages is taken from the cache, even if the
	 * versions are equal.
	 */
	private boolean decodingAll;

	/**
	 * Create a session. Objects that {@code cache} has in the same state need not be
	 * decoded.
	 */
	ListSession(ReflectorSettings settings, ListerWatcher<T> source, Indexer<T> cache, ResourceVersionState versions,
			ReflectorStatus status, TimeSource time) {
		this.settings = settings;
		this.source = source;
		this.cache = cache;
		this.versions = versions;
		this.status = status;
		this.time = time;
		this.sizes = cache.sizes(settings.options().maxSize());
	}

	/**
	 * List from the start, as a stream where that is enabled and supported.
	 */
	AttemptOutcome<T> list(Cancellation cancellation) {
		this.interrupted = null;
		InformerOptions options = this.settings.options();
		return (options.streamingList() && options.watch() && isStreamUsable()) ? stream(cancellation)
				: listByPages(cancellation);
	}

	/**
	 * List by pages, resuming the last list if it was interrupted.
	 */
	AttemptOutcome<T> listByPages(Cancellation cancellation) {
		PagedList<T> list = this.interrupted;
		this.interrupted = null;
		if (list == null) {
			this.began = this.time.nanoTime();
			this.decodingAll = false;
			list = newList();
		}
		return read(list, cancellation);
	}

	private PagedList<T> newList() {
		// A server that lists from its watch cache ignores the limit, and ends any
		// request after 60 s. A list that broke off is read from etcd, which pages.
		String version = this.cutOff ? "" : this.versions.forList();
		this.requestedVersion = version;
		int pageSize = this.settings.options().pageSize();
		boolean paged = version.isEmpty() || version.equals("0") || this.paginated;
		ListRequest first = new ListRequest(version, paged ? pageSize : 0, null).of(this.versions.selector());
		return new PagedList<>(first, pageSize, this::readPage, this.decodingAll ? this : new Reused(), this.status);
	}

	private ListPage readPage(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
		if (request.continueToken() == null) {
			beginList();
		}
		else {
			this.paginated |= this.requestedVersion.equals("0");
		}
		return this.source.list(request, sink, cancellation);
	}

	/**
	 * Return whether the server is expected to support streaming lists. Old servers,
	 * proxies and aggregated API servers drop the bookmark, which nothing else can
	 * replace. Then streaming lists are not used for an hour.
	 */
	private boolean isStreamUsable() {
		if (this.streamUnusableSince != null
				&& this.time.nanoTime() - this.streamUnusableSince >= TimeSource.nanos(UNUSABLE_TIME)) {
			this.streamUnusableSince = null;
			this.unfinishedStreams = 0;
		}
		return this.streamUnusableSince == null;
	}

	/**
	 * List as the first events of a watch: the initial objects as ADDED events, a
	 * bookmark at their end, and then the changes, on the same stream.
	 * @see <a href=
	 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists">Streaming
	 * lists</a>
	 */
	private AttemptOutcome<T> stream(Cancellation cancellation) {
		long began = this.time.nanoTime();
		try {
			Listed<T> listed = openStream(cancellation);
			this.status.listed(ListMode.STREAM, elapsed(began), true);
			return AttemptOutcome.of(listed);
		}
		catch (IOException | RuntimeException | Error ex) {
			if (cancellation.isCancelled()) {
				return AttemptOutcome.of(Result.CANCELLED);
			}
			this.status.listed(ListMode.STREAM, elapsed(began), false);
			return AttemptOutcome.of(this.streamOpened ? Result.STREAM_FAILED : Result.STREAM_NOT_OPENED, ex);
		}
	}

	private Listed<T> openStream(Cancellation cancellation) throws IOException {
		String version = this.versions.forStream();
		Duration timeout = this.settings.randomWatchTimeout();
		try {
			return readStream(request(version, timeout), cancellation);
		}
		catch (ServerStatusException ex) {
			if (!this.versions.refused(ex.status()) || version.isEmpty() || cancellation.isCancelled()) {
				throw ex;
			}
			return readStream(request(this.versions.forStream(), timeout), cancellation);
		}
	}

	private WatchRequest request(String version, Duration timeout) {
		return new WatchRequest(version, timeout, true).of(this.versions.selector());
	}

	/**
	 * Read the initial objects.
	 * @throws ServerStatusException if the server refuses, or sends an ERROR event
	 * @throws IOException if the initial events do not end with a bookmark
	 */
	private Listed<T> readStream(WatchRequest request, Cancellation cancellation) throws IOException {
		this.streamOpened = false;
		WatchStream<T> stream = this.source.watch(request, this, cancellation);
		this.streamOpened = true;
		StreamedList<T> list = new StreamedList<>(request.timeout(), this.time);
		beginList();
		try {
			stream.idleTimeout(IDLE_TIMEOUT);
			Listed<T> listed = list.collect(stream);
			stream.idleTimeout(Duration.ZERO);
			this.unfinishedStreams = 0;
			return listed;
		}
		catch (IOException | RuntimeException | Error ex) {
			stream.close();
			// A reset says nothing about the server's support for streaming lists, but
			// two
			// complete responses without the bookmark do.
			this.unfinishedStreams += list.hasEnded() ? 1 : 0;
			if (list.isOverdue() || this.unfinishedStreams >= UNFINISHED_STREAMS
					|| (ex instanceof SocketTimeoutException && !cancellation.isCancelled())) {
				this.streamUnusableSince = this.time.nanoTime();
			}
			throw ex;
		}
	}

	private AttemptOutcome<T> read(PagedList<T> list, Cancellation cancellation) {
		try {
			list.read(cancellation);
			if (cancellation.isCancelled()) {
				return AttemptOutcome.of(Result.CANCELLED);
			}
			this.cutOff = false;
			Listed<T> listed = list.listed();
			if (list.hasReused() && this.versions.detectRollback(listed.resourceVersion())) {
				// Cached objects were reused because their versions are equal. After a
				// rollback equal versions prove nothing, so everything is decoded.
				this.decodingAll = true;
				return read(newList(), cancellation);
			}
			this.status.listed(ListMode.PAGES, elapsed(this.began), true);
			return AttemptOutcome.of(listed);
		}
		catch (IOException | RuntimeException | Error ex) {
			return cancellation.isCancelled() ? AttemptOutcome.of(Result.CANCELLED) : failed(list, ex, cancellation);
		}
	}

	private AttemptOutcome<T> failed(PagedList<T> list, Throwable failure, Cancellation cancellation) {
		if (failure instanceof IOException broken) {
			this.cutOff |= list.isCutOff();
			if (list.isResumable(broken)) {
				this.interrupted = list;
				return AttemptOutcome.of(Result.LIST_INTERRUPTED, broken);
			}
		}
		boolean onFirstPage = list.isOnFirstPage();
		if (failure instanceof ServerStatusException refusal && onFirstPage && this.versions.refused(refusal.status())
				&& !this.requestedVersion.isEmpty()) {
			return read(newList(), cancellation);
		}
		this.status.listed(ListMode.PAGES, elapsed(this.began), false);
		return AttemptOutcome.of(onFirstPage ? Result.FIRST_PAGE_FAILED : Result.LIST_FAILED, failure);
	}

	@Override
	public @Nullable Found<T> find(ObjectState state) {
		return null;
	}

	@Override
	public boolean shares() {
		return this.settings.shareValues();
	}

	@Override
	public @Nullable T earlier(ObjectState state) {
		String key = shares() ? state.key() : null;
		return (key != null) ? this.cache.find(key) : null;
	}

	@Override
	public @Nullable Meter<T> meter() {
		return (this.sizes != null) ? this.sizes::received : null;
	}

	/**
	 * Record that a delta was handed over, after its transform.
	 */
	void handedOver(Delta<T> delta) {
		if (this.sizes != null) {
			this.sizes.handedOver(delta);
		}
	}

	/**
	 * Record the end of an attempt. The pages of a list that can be resumed are kept.
	 */
	void attempted(Result result) {
		if (this.sizes != null && result != Result.LIST_INTERRUPTED) {
			this.sizes.endList();
		}
	}

	/**
	 * Record that the objects will be removed from the cache.
	 */
	void close() {
		if (this.sizes != null) {
			this.sizes.close();
		}
	}

	private void beginList() {
		if (this.sizes != null) {
			this.sizes.beginList();
		}
	}

	private Duration elapsed(long began) {
		return Duration.ofNanos(this.time.nanoTime() - began);
	}

	/**
	 * Cached objects, which need not be decoded if they are in the same state.
	 */
	private final class Reused implements ObjectLookup<T> {

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			T same = ListSession.this.cache.get(ListSession.this.settings.namespace(),
					ListSession.this.versions.epoch(), state);
			return (same != null) ? new Found<>(same) : null;
		}

		@Override
		public boolean shares() {
			return ListSession.this.shares();
		}

		@Override
		public @Nullable T earlier(ObjectState state) {
			return ListSession.this.earlier(state);
		}

		@Override
		public @Nullable Meter<T> meter() {
			return ListSession.this.meter();
		}

	}

}
