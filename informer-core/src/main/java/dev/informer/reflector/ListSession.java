/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;

import dev.informer.InformerEvent.ListMode;
import dev.informer.client.Cancellation;
import dev.informer.client.ListRequest;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.client.WatchRequest;
import dev.informer.reflector.AttemptOutcome.Listed;
import dev.informer.reflector.AttemptOutcome.Result;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lists the resource, as a stream or by pages, and remembers between two lists what the
 * server supports. Never waits: after a failure the reflector does. Confined to the
 * thread of its reflector.
 */
final class ListSession<T extends KubernetesObject> {

	/** Number of pages from which a list is reported, each time it has doubled. */
	private static final int REPORTED_PAGES = 1024;

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final Function<ObjectState, @Nullable T> known;

	private final ResourceVersionState versions;

	private final ReflectorStatus status;

	private final TimeSource time;

	private final StreamingList<T> streamingList;

	/** Whether the server ended the last list in one piece before its end. */
	private boolean cutOff;

	/** Whether the server pages lists that it could serve from its watch cache. */
	private boolean paginated;

	/** The list to resume. */
	private @Nullable PagedList<T> interrupted;

	/**
	 * Create a session. {@code known} finds objects that need not be decoded.
	 */
	ListSession(ReflectorSettings settings, ListerWatcher<T> source, Function<ObjectState, @Nullable T> known,
			ResourceVersionState versions, ReflectorStatus status, TimeSource time) {
		this.settings = settings;
		this.source = source;
		this.known = known;
		this.versions = versions;
		this.status = status;
		this.time = time;
		this.streamingList = new StreamingList<>(source, time);
	}

	/**
	 * List from the start, as a stream where that is enabled and supported.
	 */
	AttemptOutcome<T> list(Cancellation cancellation) {
		this.interrupted = null;
		return (this.settings.options().streamingList() && this.streamingList.isUsable()) ? stream(cancellation)
				: listByPages(cancellation);
	}

	/**
	 * List by pages, resuming the last list if it was interrupted.
	 */
	AttemptOutcome<T> listByPages(Cancellation cancellation) {
		PagedList<T> list = this.interrupted;
		this.interrupted = null;
		return read((list != null) ? list : pagedList(this.time.nanoTime(), this.known), cancellation);
	}

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
			return AttemptOutcome.of(this.streamingList.isOpened() ? Result.STREAM_FAILED : Result.STREAM_NOT_OPENED,
					ex);
		}
	}

	private Listed<T> openStream(Cancellation cancellation) throws IOException {
		String version = this.versions.forStream();
		Duration timeout = this.settings.randomWatchTimeout();
		try {
			return this.streamingList.open(request(version, timeout), cancellation);
		}
		catch (ServerStatusException ex) {
			if (!this.versions.refused(ex.status()) || version.isEmpty() || cancellation.isCancelled()) {
				throw ex;
			}
			return this.streamingList.open(request(this.versions.forStream(), timeout), cancellation);
		}
	}

	private WatchRequest request(String version, Duration timeout) {
		return new WatchRequest(version, timeout, true).of(this.versions.selector());
	}

	private AttemptOutcome<T> read(PagedList<T> list, Cancellation cancellation) {
		try {
			list.read(cancellation, () -> pageRead(list));
			if (cancellation.isCancelled()) {
				return AttemptOutcome.of(Result.CANCELLED);
			}
			this.cutOff = false;
			Listed<T> listed = list.listed();
			if (list.isReused() && this.versions.detectRollback(listed.resourceVersion())) {
				// Cached objects were reused because their versions are equal. After a
				// rollback equal versions prove nothing, so everything is decoded.
				return read(pagedList(list.began(), (state) -> null), cancellation);
			}
			this.status.listed(ListMode.PAGES, elapsed(list.began()), true);
			return AttemptOutcome.of(listed);
		}
		catch (IOException | RuntimeException | Error ex) {
			return cancellation.isCancelled() ? AttemptOutcome.of(Result.CANCELLED) : failed(list, ex, cancellation);
		}
		finally {
			this.paginated |= list.isPaginated() && list.requestedVersion().equals("0");
		}
	}

	/**
	 * Report a page. No number of objects is one that no genuine server has, so a list
	 * without an end fills the heap, but not silently.
	 */
	private void pageRead(PagedList<T> list) {
		this.status.active();
		if (list.pages() >= REPORTED_PAGES && Integer.bitCount(list.pages()) == 1) {
			this.status.listGrows(list.pages(), list.size());
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
		if (failure instanceof ServerStatusException refusal && list.isOnFirstPage()
				&& this.versions.refused(refusal.status()) && !list.requestedVersion().isEmpty()) {
			return read(pagedList(list.began(), this.known), cancellation);
		}
		this.status.listed(ListMode.PAGES, elapsed(list.began()), false);
		return AttemptOutcome.of(list.isOnFirstPage() ? Result.FIRST_PAGE_FAILED : Result.LIST_FAILED, failure);
	}

	private PagedList<T> pagedList(long began, Function<ObjectState, @Nullable T> known) {
		// A server that lists from its watch cache ignores the limit, and ends any
		// request
		// after 60 s. A list that broke off is read from etcd, which pages.
		String version = this.cutOff ? "" : this.versions.forList();
		boolean paged = version.isEmpty() || version.equals("0") || this.paginated;
		int pageSize = this.settings.options().pageSize();
		ListRequest first = new ListRequest(version, paged ? pageSize : 0, null).of(this.versions.selector());
		return new PagedList<>(this.source, first, pageSize, began, known);
	}

	private Duration elapsed(long began) {
		return Duration.ofNanos(this.time.nanoTime() - began);
	}

}
