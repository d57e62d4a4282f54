/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
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

	/** Number of pages from which a list is reported, each time it has doubled. */
	private static final int REPORTED_PAGES = 1024;

	/** Maximum time between two initial events. */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * Maximum time between the first event that is not an initial one and the bookmark.
	 */
	private static final Duration BOOKMARK_TIMEOUT = Duration.ofSeconds(60);

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
	private @Nullable PagedList interrupted;

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
		PagedList list = this.interrupted;
		this.interrupted = null;
		return read((list != null) ? list : new PagedList(this.time.nanoTime(), false), cancellation);
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
		try {
			stream.idleTimeout(IDLE_TIMEOUT);
			Listed<T> listed = new StreamedList(request.timeout()).collect(stream);
			stream.idleTimeout(Duration.ZERO);
			this.unfinishedStreams = 0;
			return listed;
		}
		catch (IOException | RuntimeException | Error ex) {
			stream.close();
			if (ex instanceof SocketTimeoutException && !cancellation.isCancelled()) {
				disableStream();
			}
			throw ex;
		}
	}

	private IOException streamClosed() {
		// A reset says nothing about the server's support for streaming lists, but two
		// complete responses without the bookmark do.
		this.unfinishedStreams++;
		if (this.unfinishedStreams >= UNFINISHED_STREAMS) {
			disableStream();
		}
		return unfinished("the server closed the stream");
	}

	private void disableStream() {
		this.streamUnusableSince = this.time.nanoTime();
	}

	private static IOException unfinished(String reason) {
		return new IOException("Streaming list ended without its bookmark: " + reason);
	}

	private AttemptOutcome<T> read(PagedList list, Cancellation cancellation) {
		try {
			list.read(cancellation);
			if (cancellation.isCancelled()) {
				return AttemptOutcome.of(Result.CANCELLED);
			}
			this.cutOff = false;
			Listed<T> listed = list.listed();
			if (list.reused && this.versions.detectRollback(listed.resourceVersion())) {
				// Cached objects were reused because their versions are equal. After a
				// rollback equal versions prove nothing, so everything is decoded.
				return read(new PagedList(list.began, true), cancellation);
			}
			this.status.listed(ListMode.PAGES, elapsed(list.began), true);
			return AttemptOutcome.of(listed);
		}
		catch (IOException | RuntimeException | Error ex) {
			return cancellation.isCancelled() ? AttemptOutcome.of(Result.CANCELLED) : failed(list, ex, cancellation);
		}
	}

	private AttemptOutcome<T> failed(PagedList list, Throwable failure, Cancellation cancellation) {
		if (failure instanceof IOException broken) {
			this.cutOff |= list.isCutOff();
			if (list.isResumable(broken)) {
				this.interrupted = list;
				return AttemptOutcome.of(Result.LIST_INTERRUPTED, broken);
			}
		}
		boolean onFirstPage = list.resourceVersion == null;
		if (failure instanceof ServerStatusException refusal && onFirstPage && this.versions.refused(refusal.status())
				&& !list.version.isEmpty()) {
			return read(new PagedList(list.began, list.decodingAll), cancellation);
		}
		this.status.listed(ListMode.PAGES, elapsed(list.began), false);
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
	 * List by pages. When a continuation page fails, {@link #read} can be called again
	 * and resumes with the same token.
	 *
	 * @see <a href=
	 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks">Retrieving
	 * large results sets in chunks</a>
	 */
	private final class PagedList implements ListSink<T> {

		private final long began;

		/** Whether cached objects are not used, even if they have the same version. */
		private final boolean decodingAll;

		/** The version that is requested, {@code "0"} for any. */
		private final String version;

		/** The selector of all pages: a token belongs to it. */
		private final @Nullable ObjectSelector selector = ListSession.this.versions.selector();

		private final List<T> objects = new ArrayList<>();

		private final List<UndecodableObject> undecodable = new ArrayList<>();

		private PageProgress progress = newProgress();

		/** Number of objects of the pages that are complete. */
		private int completeObjects;

		private int completeUndecodable;

		private int pages;

		/** Whether the list has objects that were not decoded. */
		private boolean reused;

		/** Whether the list began again because a token had expired. */
		private boolean restarted;

		/** The version of the first page, which is that of the list. */
		private @Nullable String resourceVersion;

		private @Nullable String continueToken;

		PagedList(long began, boolean decodingAll) {
			this.began = began;
			this.decodingAll = decodingAll;
			// A server that lists from its watch cache ignores the limit, and ends any
			// request after 60 s. A list that broke off is read from etcd, which pages.
			this.version = ListSession.this.cutOff ? "" : ListSession.this.versions.forList();
			beginList();
		}

		/**
		 * Read the pages that are missing.
		 */
		private void read(Cancellation cancellation) throws IOException {
			int pageSize = ListSession.this.settings.options().pageSize();
			if (this.resourceVersion == null) {
				boolean paged = this.version.isEmpty() || this.version.equals("0") || ListSession.this.paginated;
				readFirst(paged ? pageSize : 0, cancellation);
			}
			while (this.continueToken != null) {
				ListSession.this.paginated |= this.version.equals("0");
				try {
					// The token determines the version: a continuation must not name one.
					this.continueToken = read(new ListRequest(null, pageSize, this.continueToken), cancellation)
						.continueToken();
				}
				catch (ServerStatusException ex) {
					if (!ex.status().isExpired() || this.restarted) {
						throw ex;
					}
					// etcd compacted the version of the first page while the list was
					// being read. Later pages would belong to a newer version: start
					// again, at once and in one piece, as client-go's pager does. A
					// server that pages nevertheless and lets its tokens expire would get
					// list after list.
					this.restarted = true;
					this.resourceVersion = null;
					this.continueToken = null;
					this.completeObjects = 0;
					this.completeUndecodable = 0;
					beginList();
					readFirst(0, cancellation);
				}
			}
		}

		private PageProgress newProgress() {
			return new PageProgress(ListSession.this.settings.options().pageSize());
		}

		private void readFirst(int limit, Cancellation cancellation) throws IOException {
			this.progress = newProgress();
			this.pages = 0;
			ListPage page = read(new ListRequest(this.version, limit, null), cancellation);
			this.resourceVersion = page.resourceVersion();
			this.continueToken = page.continueToken();
		}

		private ListPage read(ListRequest request, Cancellation cancellation) throws IOException {
			// Items of a page that broke off are read again.
			this.objects.subList(this.completeObjects, this.objects.size()).clear();
			this.undecodable.subList(this.completeUndecodable, this.undecodable.size()).clear();
			ListPage page = ListSession.this.source.list(request.of(this.selector), this, cancellation);
			this.progress.pageRead(page, this.objects.size() + this.undecodable.size());
			this.completeObjects = this.objects.size();
			this.completeUndecodable = this.undecodable.size();
			this.pages++;
			reportPage();
			return page;
		}

		/**
		 * Report a page. No number of objects is one that no genuine server has, so a
		 * list without an end fills the heap, but not silently.
		 */
		private void reportPage() {
			ListSession.this.status.active();
			if (this.pages >= REPORTED_PAGES && Integer.bitCount(this.pages) == 1) {
				ListSession.this.status.listGrows(this.pages, this.completeObjects + this.completeUndecodable);
			}
		}

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			if (this.decodingAll) {
				return null;
			}
			T same = ListSession.this.cache.get(ListSession.this.settings.namespace(),
					ListSession.this.versions.epoch(), state);
			this.reused |= same != null;
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

		@Override
		public void accept(T object) {
			// A flag that the user's adapter left would end the next read.
			Thread.interrupted();
			if (this.progress.isBeforeFirstItem()) {
				this.progress.item(ObjectState.of(object));
			}
			this.objects.add(object);
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			Thread.interrupted();
			this.progress.item(object.state());
			this.undecodable.add(object);
		}

		/**
		 * Return whether the first page broke off after some of its items.
		 */
		private boolean isCutOff() {
			return this.resourceVersion == null && (!this.objects.isEmpty() || !this.undecodable.isEmpty());
		}

		/**
		 * Return whether the server refused a continuation page for a temporary reason,
		 * so that {@link #read} can resume with the same token. After a broken connection
		 * another server may answer, and the token would select its objects at a version
		 * that means something else there.
		 */
		private boolean isResumable(IOException failure) {
			return this.continueToken != null && failure instanceof ServerStatusException refusal
					&& refusal.status().isOverloaded() && !refusal.status().isOfGateway();
		}

		private Listed<T> listed() {
			return new Listed<>(this.objects, this.undecodable, Set.of(), Objects.requireNonNull(this.resourceVersion),
					null, Duration.ZERO);
		}

	}

	/**
	 * Collects the initial objects: the last event of each key counts.
	 */
	private final class StreamedList {

		private final Map<String, T> objects = new LinkedHashMap<>();

		private final Map<String, UndecodableObject> undecodable = new LinkedHashMap<>();

		private final List<UndecodableObject> unnamed = new ArrayList<>();

		private final Set<String> deleted = new HashSet<>();

		private final Duration timeout;

		private final long began = ListSession.this.time.nanoTime();

		private boolean initialOnly = true;

		private long overdueSince;

		StreamedList(Duration timeout) {
			this.timeout = timeout;
			beginList();
		}

		private Listed<T> collect(WatchStream<T> stream) throws IOException {
			WatchEvent<T> event = stream.next();
			while (event != null) {
				if (event instanceof WatchEvent.Failure<T> failure) {
					throw new ServerStatusException(failure.status());
				}
				if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
					this.unnamed.addAll(this.undecodable.values());
					return new Listed<>(List.copyOf(this.objects.values()), this.unnamed, this.deleted,
							bookmark.resourceVersion(), stream,
							this.timeout.minusNanos(ListSession.this.time.nanoTime() - this.began));
				}
				collect(event);
				checkOverdue();
				event = stream.next();
			}
			throw streamClosed();
		}

		private void collect(WatchEvent<T> event) {
			boolean initial = false;
			if (event instanceof WatchEvent.Change<T> change) {
				collect(change);
				initial = change.type() == ChangeType.ADDED;
			}
			else if (event instanceof WatchEvent.Undecodable<T> broken) {
				collect(broken);
				initial = broken.type() == ChangeType.ADDED;
			}
			else if (event instanceof WatchEvent.Unwanted<T> unwanted) {
				initial = unwanted.type() == ChangeType.ADDED;
			}
			if (this.initialOnly && !initial) {
				this.initialOnly = false;
				this.overdueSince = ListSession.this.time.nanoTime();
			}
		}

		private void collect(WatchEvent.Change<T> change) {
			String key = ObjectKey.of(change.object());
			remove(key);
			if (change.type() == ChangeType.DELETED) {
				this.deleted.add(key);
			}
			else {
				this.objects.put(key, change.object());
			}
		}

		private void collect(WatchEvent.Undecodable<T> broken) {
			String key = broken.object().state().key();
			if (key == null) {
				this.unnamed.add(broken.object());
				return;
			}
			remove(key);
			if (broken.type() == ChangeType.DELETED) {
				this.deleted.add(key);
			}
			else {
				this.undecodable.put(key, broken.object());
			}
		}

		private void remove(String key) {
			this.objects.remove(key);
			this.undecodable.remove(key);
			this.deleted.remove(key);
		}

		private void checkOverdue() throws IOException {
			if (!this.initialOnly
					&& ListSession.this.time.nanoTime() - this.overdueSince >= TimeSource.nanos(BOOKMARK_TIMEOUT)) {
				disableStream();
				throw unfinished("other events arrived for " + BOOKMARK_TIMEOUT.toSeconds() + " s");
			}
		}

	}

}
