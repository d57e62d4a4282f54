/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * One list by pages. When a continuation page fails, {@link #read} can be called again
 * and resumes with the same token. Confined to the thread of its reflector.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks">Retrieving
 * large results sets in chunks</a>
 */
final class PagedList<T> implements ListSink<T> {

	private final ListerWatcher<T> source;

	private final ListRequest first;

	private final int pageSize;

	private final long began;

	private final Function<ObjectState, @Nullable T> known;

	private PageProgress progress = new PageProgress();

	private final List<T> objects = new ArrayList<>();

	private final List<UndecodableObject> undecodable = new ArrayList<>();

	/** Number of objects of the pages that are complete. */
	private int completeObjects;

	private int completeUndecodable;

	private int pages;

	private boolean paginated;

	private boolean reused;

	/** Whether the list began again because a token had expired. */
	private boolean restarted;

	/** The version of the first page, which is that of the list. */
	private @Nullable String resourceVersion;

	private @Nullable String continueToken;

	/**
	 * Create a list that has not been requested yet.
	 * @param first the request of the first page
	 * @param pageSize the maximum number of items of later pages
	 * @param began the nano time at which the list began
	 * @param known finds objects that need not be decoded
	 */
	PagedList(ListerWatcher<T> source, ListRequest first, int pageSize, long began,
			Function<ObjectState, @Nullable T> known) {
		this.source = source;
		this.first = first;
		this.pageSize = pageSize;
		this.began = began;
		this.known = known;
	}

	/**
	 * Read the pages that are missing. {@code pageRead} is invoked after each page.
	 */
	void read(Cancellation cancellation, Runnable pageRead) throws IOException {
		if (this.resourceVersion == null) {
			readFirst(this.first, cancellation, pageRead);
		}
		while (this.continueToken != null) {
			this.paginated = true;
			try {
				// The token determines the version: a continuation must not name one.
				ListRequest next = new ListRequest(null, this.pageSize, this.continueToken).of(this.first.selector());
				ListPage page = read(next, cancellation, pageRead);
				this.continueToken = page.continueToken();
			}
			catch (ServerStatusException ex) {
				if (!ex.status().isExpired() || this.restarted) {
					throw ex;
				}
				// etcd compacted the version of the first page while the list was being
				// read. Later pages would belong to a newer version: start again, at once
				// and in one piece, as client-go's pager does. A server that pages
				// nevertheless and lets its tokens expire would get list after list.
				this.restarted = true;
				this.resourceVersion = null;
				this.continueToken = null;
				this.completeObjects = 0;
				this.completeUndecodable = 0;
				readFirst(new ListRequest(requestedVersion(), 0, null).of(this.first.selector()), cancellation,
						pageRead);
			}
		}
	}

	private void readFirst(ListRequest request, Cancellation cancellation, Runnable pageRead) throws IOException {
		this.progress = new PageProgress();
		this.pages = 0;
		ListPage page = read(request, cancellation, pageRead);
		this.resourceVersion = page.resourceVersion();
		this.continueToken = page.continueToken();
	}

	private ListPage read(ListRequest request, Cancellation cancellation, Runnable pageRead) throws IOException {
		// Items of a page that broke off are read again.
		this.objects.subList(this.completeObjects, this.objects.size()).clear();
		this.undecodable.subList(this.completeUndecodable, this.undecodable.size()).clear();
		ListPage page = this.source.list(request, this, cancellation);
		this.progress.pageRead(page);
		this.completeObjects = this.objects.size();
		this.completeUndecodable = this.undecodable.size();
		this.pages++;
		pageRead.run();
		return page;
	}

	@Override
	public @Nullable Found<T> find(ObjectState state) {
		T object = this.known.apply(state);
		this.reused |= object != null;
		return (object != null) ? new Found<>(object) : null;
	}

	@Override
	public void accept(T object) {
		// A flag that the user's adapter left would end the next read.
		Thread.interrupted();
		if (this.progress.isBeforeFirstItem() && object instanceof KubernetesObject known) {
			this.progress.item(ObjectState.of(known));
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
	 * Return the number of pages that are complete.
	 */
	int pages() {
		return this.pages;
	}

	/**
	 * Return the number of objects of these pages.
	 */
	int size() {
		return this.completeObjects + this.completeUndecodable;
	}

	long began() {
		return this.began;
	}

	String requestedVersion() {
		return Objects.requireNonNull(this.first.resourceVersion());
	}

	/**
	 * Return whether the server split the list into pages.
	 */
	boolean isPaginated() {
		return this.paginated;
	}

	/**
	 * Return whether the list contains objects that were not decoded.
	 */
	boolean isReused() {
		return this.reused;
	}

	/**
	 * Return whether no page is complete.
	 */
	boolean isOnFirstPage() {
		return this.resourceVersion == null;
	}

	/**
	 * Return whether the first page broke off after some of its items.
	 */
	boolean isCutOff() {
		return this.resourceVersion == null && (!this.objects.isEmpty() || !this.undecodable.isEmpty());
	}

	/**
	 * Return whether the server refused a continuation page for a temporary reason, so
	 * that {@link #read} can resume with the same token. After a broken connection
	 * another server may answer, and the token would select its objects at a version that
	 * means something else there.
	 */
	boolean isResumable(IOException failure) {
		return this.continueToken != null && failure instanceof ServerStatusException refusal
				&& refusal.status().isOverloaded() && !refusal.status().isOfGateway();
	}

	/**
	 * Return the complete list.
	 */
	AttemptOutcome.Listed<T> listed() {
		return new AttemptOutcome.Listed<>(this.objects, this.undecodable, Set.of(),
				Objects.requireNonNull(this.resourceVersion), null, Duration.ZERO);
	}

}
